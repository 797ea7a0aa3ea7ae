/**
 * The complete state in one line of ASCII, and back. In order: map, turn order, whose turn, phase, territories; then, where they
 * are not the usual, what else there is. `ring3 red/blue red attack a:red:3 b:blue:1 c:blue:1`
 */

import { type Ranking, type Seat, UNKNOWN } from '../game-rules.ts'
import { ENDINGS } from './events.ts'
import type { ConquestMap } from './maps.ts'
import { type ConquestOptions, optionsSchema, USUAL } from './options.ts'
import { cardById, cardId } from './rules/cards.ts'
import { type Card, type ConquestState, GARRISON, type Owner, PHASES, type Situation } from './state.ts'

/** The names of seats 1 to 6 in this notation. */
export const COLOURS = ['red', 'blue', 'green', 'yellow', 'purple', 'orange'] as const
const GARRISON_COLOUR = 'grey'
const FREE = 'free'
const HIDDEN = '?'

/** Equal lines, equal states. */
export function position(map: ConquestMap, state: ConquestState): string {
  const { situation, order, owners, armies } = state
  let line = `${state.options.map} ${order.length === 0 ? state.seats : colours(order)}`
  line += ` ${'seat' in situation ? COLOURS[situation.seat - 1] : '-'} ${phaseWord(map, situation)}`
  for (let i = 0; i < owners.length; i++) {
    const owner = owners[i]!
    line += ` ${map.territories[i]!.id}:`
    line += owner === null ? FREE : `${owner === GARRISON ? GARRISON_COLOUR : COLOURS[owner - 1]}:${armies[i]}`
  }
  return line + optionWords(state.options) + situationWords(situation) + tableWords(map, state)
}

function colours(seats: readonly Seat[]): string {
  return seats.map((seat) => COLOURS[seat - 1]).join('/')
}

function phaseWord(map: ConquestMap, situation: Situation): string {
  switch (situation.phase) {
    case 'opening':
    case 'claim':
    case 'place':
    case 'attack':
      return situation.phase
    case 'draft':
    case 'trade':
    case 'deploy':
      return situation.pool === 0 ? situation.phase : `${situation.phase}+${situation.pool}`
    case 'occupy': {
      const { origin, target, dice } = situation
      return `occupy:${map.territories[origin]!.id}>${map.territories[target]!.id}:${dice}`
    }
    case 'over':
      return `over:${situation.ending}:${situation.ranking.map((place) => place.map((seat) => COLOURS[seat - 1]).join('+')).join('/')}`
  }
}

function optionWords(options: ConquestOptions): string {
  let words = ''
  if (options.setup !== USUAL.setup) words += ` setup=${options.setup}`
  if (options.handicap !== USUAL.handicap) words += ` handicap=${options.handicap}`
  if (options.bastions !== USUAL.bastions) words += ' bastions=off'
  if (options.cards !== USUAL.cards) words += ` cards=${options.cards}`
  if (options.turnSeconds !== USUAL.turnSeconds) words += ` seconds=${options.turnSeconds ?? 'none'}`
  if (options.missesToResign !== USUAL.missesToResign) words += ` misses-to-resign=${options.missesToResign}`
  if (options.roundLimit !== USUAL.roundLimit) words += ` rounds=${options.roundLimit}`
  if (options.vacated !== USUAL.vacated) words += ` vacated=${options.vacated}`
  return words
}

function situationWords(situation: Situation): string {
  let words = ''
  if ('reserves' in situation) words += ` reserves=${situation.reserves.join(',')}`
  if ('step' in situation && situation.step !== 1) words += ` step=${situation.step}`
  if ('turn' in situation && situation.turn !== 1) words += ` turn=${situation.turn}`
  if ('round' in situation && situation.round !== 1) words += ` round=${situation.round}`
  if ('conquered' in situation && situation.conquered) words += ' conquered'
  if ('since' in situation && situation.since !== 0) words += ` since=${situation.since}`
  return words
}

function tableWords(map: ConquestMap, state: ConquestState): string {
  const cards = (list: readonly Card[]) => list.map((card) => (card === UNKNOWN ? HIDDEN : cardId(map, card))).join('+')
  let words = ''
  let hands = ''
  for (const [i, hand] of state.hands.entries())
    if (hand.length > 0) hands += `${hands === '' ? '' : ','}${COLOURS[i]}:${cards(hand)}`
  if (hands !== '') words += ` hands=${hands}`
  if (state.discards.length > 0) words += ` discards=${cards(state.discards)}`
  if (state.faceDown.length > 0) words += ` face-down=${cards(state.faceDown)}`
  if (state.dial !== 0) words += ` dial=${state.dial}`
  if (state.misses.some((count) => count > 0)) words += ` misses=${state.misses.join(',')}`
  if (state.conquests.some((count) => count > 0)) words += ` conquests=${state.conquests.join(',')}`
  if (state.eliminations.some((count) => count > 0)) words += ` eliminations=${state.eliminations.join(',')}`
  if (state.fallen.length > 0)
    words += ` fallen=${state.fallen.map(({ seat, how }) => `${COLOURS[seat - 1]}${how === 'resigned' ? '!' : ''}`).join(',')}`
  return words
}

/** Reads a line back over maps by their id; throws on a line that is none. */
export function parsePosition(maps: Readonly<Record<string, ConquestMap>>, line: string): ConquestState {
  const [mapId = '', orderWord = '', seatWord = '', phase = '', ...rest] = line.split(' ')
  const map = Object.hasOwn(maps, mapId) ? maps[mapId]! : fail(`no map ${mapId}`)
  const posts = rest.slice(0, map.territories.length).map((word, i) => readPost(word, map.territories[i]!.id))
  if (posts.length < map.territories.length) fail('territories are missing')
  const words = new Map(
    rest.slice(map.territories.length).map((word) => {
      const [key = '', value = ''] = word.split('=')
      return [key, value] as const
    }),
  )
  const order = /^\d$/.test(orderWord) ? [] : orderWord.split('/').map(readSeat)
  const seats = order.length === 0 ? Number(orderWord) : order.length
  const number = (key: string, usual: number) => (words.has(key) ? Number(words.get(key)) : usual)
  const bySeat = (key: string) =>
    words.has(key) ? words.get(key)!.split(',').map(Number) : Array.from({ length: seats }, () => 0)
  const cards = (value: string | undefined) => (value ? value.split('+').map((id) => readCard(map, id)) : [])
  const hands = new Map(
    words
      .get('hands')
      ?.split(',')
      .map((hand) => {
        const [colour = '', list] = hand.split(':')
        return [readSeat(colour), cards(list)] as const
      }),
  )
  return {
    options: readOptions(mapId, words),
    seats,
    order,
    owners: posts.map(({ owner }) => owner),
    armies: posts.map(({ armies }) => armies),
    hands: Array.from({ length: seats }, (_, i) => hands.get(i + 1) ?? []),
    discards: cards(words.get('discards')).filter((card) => card !== UNKNOWN),
    faceDown: cards(words.get('face-down')),
    dial: number('dial', 0),
    misses: bySeat('misses'),
    conquests: bySeat('conquests'),
    eliminations: bySeat('eliminations'),
    fallen: (words.get('fallen')?.split(',') ?? []).map((word) =>
      word.endsWith('!')
        ? { seat: readSeat(word.slice(0, -1)), how: 'resigned' }
        : { seat: readSeat(word), how: 'eliminated' },
    ),
    situation: readSituation(map, phase, seatWord, number, bySeat('reserves'), words.has('conquered')),
  }
}

function fail(why: string): never {
  throw new Error(`no position: ${why}`)
}

function readSeat(colour: string): Seat {
  const place = (COLOURS as readonly string[]).indexOf(colour)
  return place < 0 ? fail(`no commander ${colour}`) : place + 1
}

function readPost(word: string, expected: string): { readonly owner: Owner; readonly armies: number } {
  const [id, colour = '', armies = '0'] = word.split(':')
  if (id !== expected) fail(`${word} stands where ${expected} belongs`)
  if (colour === FREE) return { owner: null, armies: 0 }
  return { owner: colour === GARRISON_COLOUR ? GARRISON : readSeat(colour), armies: Number(armies) }
}

function readCard(map: ConquestMap, id: string): Card {
  return id === HIDDEN ? UNKNOWN : (cardById(map, id) ?? fail(`no card ${id}`))
}

function readOptions(mapId: string, words: ReadonlyMap<string, string>): ConquestOptions {
  const seconds = words.get('seconds')
  return optionsSchema([mapId]).parse({
    setup: words.get('setup'),
    handicap: words.get('handicap'),
    bastions: words.has('bastions') ? false : undefined,
    cards: words.get('cards'),
    turnSeconds: seconds === 'none' ? null : seconds && Number(seconds),
    missesToResign: words.has('misses-to-resign') ? Number(words.get('misses-to-resign')) : undefined,
    roundLimit: words.has('rounds') ? Number(words.get('rounds')) : undefined,
    vacated: words.get('vacated'),
  })
}

function readSituation(
  map: ConquestMap,
  word: string,
  seatWord: string,
  number: (key: string, usual: number) => number,
  reserves: readonly number[],
  conquered: boolean,
): Situation {
  const phase = PHASES.find((each) => word.split(/[+:]/)[0] === each) ?? fail(`no phase ${word}`)
  const pool = Number(word.split('+')[1] ?? 0)
  const since = number('since', 0)
  if (phase === 'opening') return { phase, reserves }
  const rounds = { turn: number('turn', 1), round: number('round', 1) }
  if (phase === 'over') {
    const [, endingWord, places = ''] = word.split(':')
    const ending = ENDINGS.find((each) => each === endingWord) ?? fail(`no ending ${endingWord}`)
    const ranking: Ranking = places.split('/').map((place) => place.split('+').map(readSeat))
    return { phase, ranking, ending, ...rounds }
  }
  const seat = readSeat(seatWord)
  const turn = { seat, ...rounds, conquered, since }
  switch (phase) {
    case 'claim':
    case 'place':
      return { phase, reserves, seat, step: number('step', 1), since }
    case 'draft':
    case 'trade':
    case 'deploy':
      return { phase, pool, ...turn }
    case 'attack':
      return { phase, ...turn }
    case 'occupy': {
      const [, border = '', dice] = word.split(':')
      const [origin = '', target = ''] = border.split('>')
      const territory = (id: string) => map.index.get(id) ?? fail(`no territory ${id}`)
      return { phase, origin: territory(origin), target: territory(target), dice: Number(dice), ...turn }
    }
  }
}

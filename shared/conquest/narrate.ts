/** What happened, in sentences for people: the chronicle. Dice are shown as they fell, hidden cards stay hidden. */

import { type Seat, UNKNOWN } from '../game-rules.ts'
import type { ConquestEvent, Ending, EventOf } from './events.ts'
import type { ConquestMap } from './maps.ts'
import { GARRISON } from './state.ts'

/** The sentences of an event; the first event of a turn begins with a heading, in dashes. `name` gives a commander's name by seat. */
export function narrate(map: ConquestMap, event: ConquestEvent, name: (seat: Seat) => string): readonly string[] {
  const land = (id: string) => map.territories[map.index.get(id) ?? -1]?.name ?? id
  const region = (id: string) => map.regions.find((each) => each.id === id)?.name ?? id
  const card = (id: string) =>
    map.index.has(id) ? `${land(id)} (${map.territories[map.index.get(id)!]!.unitType})` : 'a wild card'
  const owner = (seat: number) => (seat === GARRISON ? 'the neutral garrison' : name(seat))

  switch (event.type) {
    case 'boardLaid':
      return [`The board is ${map.name}; each commander begins with ${armies(event.armies)}.`]
    case 'turnOrderRolled':
      return [
        ...event.rolls.map((roll, round) => {
          const rolled = list(roll.map(({ seat, die }) => `${name(seat)} rolls ${die}`))
          return `${round === 0 ? 'For the first place' : 'Once more, for it is a tie'}: ${rolled}.`
        }),
        `${event.order.map(name).join(', then ')}: that is the turn order.`,
      ]
    case 'handicapGranted':
      return event.grants
        .filter(({ armies: more }) => more > 0)
        .map(({ seat, armies: more }) => `${name(seat)} begins with ${armies(more)} more.`)
    case 'garrisonPlaced':
      return [`The neutral garrison holds ${list(event.territories.map(land))}, with ${armies(event.armies)} on each.`]
    case 'territoriesDealt':
      return event.hands.map(({ seat, territories }) => `${name(seat)} is dealt ${list(territories.map(land))}.`)
    case 'armiesDealt':
      return [
        `Besides one on each, armies stand so: ${list(event.placements.map((each) => `${each.armies} on ${land(each.territory)}`))}.`,
      ]
    case 'claimAwaited':
      return []
    case 'territoryClaimed':
      return [`${name(event.seat)} claims ${land(event.territory)}.`]
    case 'placementAwaited':
      return []
    case 'turnBegan':
      return [heading(event, name(event.seat)), drafted(event, name(event.seat), region)]
    case 'setTraded':
      return [
        `${name(event.seat)} trades ${list(event.cards.map(card))}, set ${event.set} of the game, for ${armies(event.armies)}.`,
      ]
    case 'armiesDeployed':
      return [
        `${name(event.seat)} places ${list(event.placements.map((each) => `${armies(each.armies)} on ${land(each.territory)}`))}.`,
      ]
    case 'battleFought':
      return [
        `${name(event.seat)} attacks ${land(event.target)} (${owner(event.rival)}) from ${land(event.origin)}: ${dice(event.attack)} against ${dice(event.defence)}; ${fallen(event)}.`,
      ]
    case 'territoryConquered':
      return [`${name(event.seat)} conquers ${land(event.territory)}.`]
    case 'commanderEliminated':
      return [`${name(event.seat)} is eliminated by ${name(event.by)}.`]
    case 'handTaken':
      return [`${name(event.seat)} takes the hand of ${name(event.rival)}: ${taken(event, card)}.`]
    case 'territoryOccupied':
      return [
        `${name(event.seat)} occupies ${land(event.territory)} with ${armies(event.armies)} from ${land(event.origin)}.`,
      ]
    case 'armiesFortified':
      return [
        `${name(event.seat)} moves ${armies(event.armies)} from ${land(event.origin)} to ${land(event.destination)}.`,
      ]
    case 'discardsReshuffled':
      return ['The discards are shuffled and become the deck.']
    case 'cardDrawn':
      return [`${name(event.seat)} draws ${event.card === UNKNOWN ? 'a requisition card' : card(event.card)}.`]
    // The next heading says it.
    case 'turnEnded':
      return []
    case 'turnMissed':
      return [
        `${name(event.seat)} lets the time run out${event.misses === 1 ? '' : `, ${event.misses} times in a row now`}; the server plays the least.`,
      ]
    case 'commanderReturned':
      return [`${name(event.seat)} is back.`]
    case 'commanderResigned':
      return [
        `${name(event.seat)} ${event.missed ? 'has let the time run out too often and is out' : 'resigns'}; what is left falls to the neutral garrison.`,
      ]
    case 'gameOver':
      return ['— The end —', `The game is over: ${ENDING_WORDS[event.ending]}.`, ...places(event, name)]
  }
}

const ENDING_WORDS: Readonly<Record<Ending, string>> = {
  conquest: 'the last rival has fallen',
  resignation: 'no rival is left',
  'round-limit': 'the last round has been played',
}

function heading({ turn, round }: EventOf<'turnBegan'>, who: string): string {
  return `— Turn ${turn}, round ${round}: ${who} —`
}

function drafted(event: EventOf<'turnBegan'>, who: string, region: (id: string) => string): string {
  const bonus = event.regions.length === 0 ? '' : ` and the whole of ${list(event.regions.map(region))}`
  return `${who} drafts ${armies(event.armies)} for ${count(event.territories, 'territory', 'territories')}${bonus}.`
}

function fallen({ attackersLost, defendersLost }: EventOf<'battleFought'>): string {
  if (attackersLost === 0) return `${count(defendersLost, 'defender falls', 'defenders fall')}`
  if (defendersLost === 0) return `${count(attackersLost, 'attacker falls', 'attackers fall')}`
  return 'one of each falls'
}

function taken({ cards, count: size }: EventOf<'handTaken'>, card: (id: string) => string): string {
  return cards === UNKNOWN || cards.length === 0 ? count(size, 'card', 'cards') : list(cards.map(card))
}

function places({ ranking }: EventOf<'gameOver'>, name: (seat: Seat) => string): readonly string[] {
  let place = 1
  return ranking.map((seats) => {
    const line = `${place}. ${list(seats.map(name))}`
    place += seats.length
    return line
  })
}

function dice(values: readonly number[]): string {
  return values.join(' ')
}

function armies(number: number): string {
  return count(number, 'army', 'armies')
}

function count(number: number, one: string, many: string): string {
  return `${number} ${verb(number, one, many)}`
}

function verb(number: number, one: string, many: string): string {
  return number === 1 ? one : many
}

/** a, b and c */
function list(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? 'nothing') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

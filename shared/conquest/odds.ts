// Exact odds of Conquest: one roll by enumeration (R12–R14), fighting on by dynamic programming (R17).

/** The most armies on either side of a battle whose odds are given; R3 sets no limit, so the caller asks first. */
export const MOST_ARMIES_FOR_ODDS = 1000

/** The most rolls of one assault, and how many it has where none are named (R17). */
export const MOST_ROLLS = 500

const DICE = [1, 2, 3] as const

export interface RollQuery {
  /** Attack dice, 1..3. */
  readonly dice: number
  /** Armies on the target at the moment of the roll, 1 or more. */
  readonly defenders: number
  /** Whether the target is a Bastion, and Bastions are on (V4). */
  readonly bastion: boolean
}

export interface LossOdds {
  readonly attackersLost: number
  readonly defendersLost: number
  /** `ways / total` is the exact chance; `total` counts every showing of all dice. */
  readonly ways: number
  readonly total: number
  readonly probability: number
}

export interface RollOdds {
  /** Every possible pair of losses, fewest attackers lost first. */
  readonly losses: readonly LossOdds[]
  /** Expected armies lost. */
  readonly attackersLost: number
  readonly defendersLost: number
}

export interface BattleQuery {
  /** Armies on the origin, the one that stays included, 2..MOST_ARMIES_FOR_ODDS. */
  readonly attackers: number
  /** Armies on the target, 1..MOST_ARMIES_FOR_ODDS. */
  readonly defenders: number
  /** Whether the target is a Bastion, and Bastions are on (V4). */
  readonly bastion: boolean
  /** The assault ends when the origin holds this many or fewer, 1..attackers−1; 1 where not named. */
  readonly stopAt?: number | undefined
  /** The assault ends after this many rolls, 1..MOST_ROLLS; MOST_ROLLS where not named. */
  readonly maxRolls?: number | undefined
}

export interface ConquestOdds {
  /** Probability that the target falls. */
  readonly conquest: number
  /** Expected armies lost, whoever wins. */
  readonly attackersLost: number
  readonly defendersLost: number
}

export interface Outcome {
  /** Armies the attacker has left, on the origin or about to move in. */
  readonly attackers: number
  /** Armies left on the target; 0 is a conquest. */
  readonly defenders: number
  readonly probability: number
}

export interface BattleOdds extends ConquestOdds {
  /** Probability that the target holds and the origin is down to `stopAt` or fewer. */
  readonly stopped: number
  /** Probability that the rolls run out before the target falls or the origin is down to `stopAt`. */
  readonly undecided: number
  /** Expected armies of the attacker after a conquest; null where a conquest has no chance. */
  readonly attackersLeftIfConquered: number | null
  /** Expected armies on the target when it holds; null where holding has no chance. */
  readonly defendersLeftIfHeld: number | null
  /** How the assault may end, conquests first, most attackers left first; chances too small for a double are left out. */
  readonly outcomes: readonly Outcome[]
}

export interface Odds {
  /**
   * Odds of one assault as R17 fights it: most dice each roll, dice and Bastion taken anew, a roll may overshoot `stopAt`
   * by one. Probabilities are good to 1e-12 and the outcomes sum to 1; losses are in armies. Answers are frozen.
   * @throws RangeError naming the field and its range, for any number that is no integer in range.
   */
  readonly battleOdds: (query: BattleQuery) => BattleOdds
  /**
   * Odds of fighting to the end, down to one army on the origin, over as many assaults as that takes: what `battleOdds`
   * says with neither limit, as long as MOST_ROLLS rolls suffice (attackers + defenders ≤ MOST_ROLLS). A look-up.
   * @param attackers armies on the origin, the one that stays included, 2..MOST_ARMIES_FOR_ODDS (R17)
   * @param defenders armies on the target, 1..MOST_ARMIES_FOR_ODDS
   * @param bastion whether the target is a Bastion, and Bastions are on (R14, V4)
   * @throws RangeError naming the field and its range, for any number that is no integer in range.
   */
  readonly conquestOdds: (attackers: number, defenders: number, bastion: boolean) => ConquestOdds
  /** The `conquest` of `conquestOdds` alone, with its ranges and refusals (R17); makes no object. */
  readonly conquestProbability: (attackers: number, defenders: number, bastion: boolean) => number
}

function demand(field: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${field} must be an integer from ${least} to ${most}`)
}

/** How often `dice` dice show each best and second best face; the second of a single die is 0. */
function bestTwo(dice: number): { readonly best: number; readonly second: number; readonly ways: number }[] {
  const ways = new Array<number>(49).fill(0)
  for (let showing = 0; showing < 6 ** dice; showing++) {
    let best = 0
    let second = 0
    for (let die = 0, rest = showing; die < dice; die++, rest = Math.floor(rest / 6)) {
      const face = (rest % 6) + 1
      if (face > best) {
        second = best
        best = face
      } else if (face > second) second = face
    }
    ways[best * 7 + second]! += 1
  }
  return ways.flatMap((count, i) => (count > 0 ? [{ best: Math.floor(i / 7), second: i % 7, ways: count }] : []))
}

const SHOWINGS = DICE.map(bestTwo)

function enumerate(dice: number, defenceDice: number): RollOdds {
  const pairs = Math.min(2, dice, defenceDice)
  const ways = new Array<number>(pairs + 1).fill(0)
  for (const attack of SHOWINGS[dice - 1]!)
    for (const defence of SHOWINGS[defenceDice - 1]!) {
      const lost = (attack.best <= defence.best ? 1 : 0) + (pairs === 2 && attack.second <= defence.second ? 1 : 0)
      ways[lost]! += attack.ways * defence.ways
    }
  const total = 6 ** (dice + defenceDice)
  const losses = ways.map((count, lost) =>
    Object.freeze({
      attackersLost: lost,
      defendersLost: pairs - lost,
      ways: count,
      total,
      probability: count / total,
    }),
  )
  return Object.freeze({
    losses: Object.freeze(losses),
    attackersLost: losses.reduce((sum, pair) => sum + pair.ways * pair.attackersLost, 0) / total,
    defendersLost: losses.reduce((sum, pair) => sum + pair.ways * pair.defendersLost, 0) / total,
  })
}

/** By attack dice − 1, then defence dice − 1. */
const ROLLS = DICE.map((dice) => DICE.map((defenceDice) => enumerate(dice, defenceDice)))

/** By the same places: [k] is the chance that k attackers fall; all other armies that fall are defenders. */
const CHANCES = ROLLS.map((rolls) => rolls.map((roll) => Float64Array.from(roll.losses, (pair) => pair.probability)))

const mostDice = (attackers: number) => Math.min(3, attackers - 1)

// R14: judged by the armies that stand there now, so it is asked again before each roll.
const defenceDice = (defenders: number, bastion: boolean) => Math.min(bastion ? 3 : 2, defenders)

/**
 * Odds of one roll, exact, by enumeration of all dice (R12–R14). Expected losses are in armies. The answer is frozen.
 * @throws RangeError naming the field and its range, for dice outside 1..3 or defenders that are no integer from 1.
 */
export function rollOdds({ dice, defenders, bastion }: RollQuery): RollOdds {
  demand('dice', dice, 1, 3)
  demand('defenders', defenders, 1, Number.MAX_SAFE_INTEGER)
  return ROLLS[dice - 1]![defenceDice(defenders, bastion) - 1]!
}

/** Forward, roll by roll: a position may be reached after different numbers of rolls, and `maxRolls` tells them apart. */
function fight(attackers: number, defenders: number, bastion: boolean, stopAt: number, maxRolls: number): BattleOdds {
  // A position is one cell, attackers * width + defenders. The loop is plain and flat because its first run is timed.
  const width = defenders + 1
  const ended = new Float64Array((attackers + 1) * width)
  let now = new Float64Array(ended.length)
  let next = new Float64Array(ended.length)
  let cells = [attackers * width + defenders]
  now[cells[0]!] = 1
  for (let roll = 1; roll <= maxRolls && cells.length > 0; roll++) {
    const reached: number[] = []
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!
      const garrison = cell % width
      const armies = (cell - garrison) / width
      const before = now[cell]!
      now[cell] = 0
      const chances = CHANCES[mostDice(armies) - 1]![defenceDice(garrison, bastion) - 1]!
      const fallen = chances.length - 1
      for (let lost = 0; lost <= fallen; lost++) {
        const probability = before * chances[lost]!
        if (probability === 0) continue
        const left = garrison - (fallen - lost)
        const after = (armies - lost) * width + left
        if (left === 0 || armies - lost <= stopAt) ended[after]! += probability
        else {
          if (next[after] === 0) reached.push(after)
          next[after]! += probability
        }
      }
    }
    cells = reached
    const spent = now
    now = next
    next = spent
  }
  let undecided = 0
  for (const cell of cells) {
    undecided += now[cell]!
    ended[cell] = now[cell]!
  }

  const outcomes: Outcome[] = []
  for (let left = 0; left <= defenders; left++)
    for (let armies = attackers; armies > 0; armies--) {
      const probability = ended[armies * width + left]!
      if (probability > 0) outcomes.push(Object.freeze({ attackers: armies, defenders: left, probability }))
    }
  let conquest = 0
  let stopped = 0
  let survivors = 0
  let garrison = 0
  let attackersLost = 0
  let defendersLost = 0
  for (const outcome of outcomes) {
    attackersLost += outcome.probability * (attackers - outcome.attackers)
    defendersLost += outcome.probability * (defenders - outcome.defenders)
    if (outcome.defenders === 0) {
      conquest += outcome.probability
      survivors += outcome.probability * outcome.attackers
    } else {
      if (outcome.attackers <= stopAt) stopped += outcome.probability
      garrison += outcome.probability * outcome.defenders
    }
  }
  const held = stopped + undecided
  return Object.freeze({
    conquest,
    stopped,
    undecided,
    attackersLost,
    defendersLost,
    attackersLeftIfConquered: conquest > 0 ? survivors / conquest : null,
    defendersLeftIfHeld: held > 0 ? garrison / held : null,
    outcomes: Object.freeze(outcomes),
  })
}

/** Fighting to the end from one number of attackers, by number of defenders. */
interface Row {
  readonly conquest: Float64Array
  readonly attackersLost: Float64Array
  readonly defendersLost: Float64Array
}

function emptyRow(mostDefenders: number): Row {
  const column = () => new Float64Array(mostDefenders + 1)
  const row = { conquest: column(), attackersLost: column(), defendersLost: column() }
  row.conquest[0] = 1
  return row
}

/** The row of so many attackers, 2 or more, from the rows of one and two fewer. */
function nextRow(attackers: number, oneFewer: Row, twoFewer: Row, bastion: boolean): Row {
  const mostDefenders = oneFewer.conquest.length - 1
  const row = emptyRow(mostDefenders)
  const { conquest, attackersLost, defendersLost } = row
  const { conquest: conquest1, attackersLost: attackersLost1, defendersLost: defendersLost1 } = oneFewer
  const { conquest: conquest2, attackersLost: attackersLost2, defendersLost: defendersLost2 } = twoFewer
  const byDefence = CHANCES[mostDice(attackers) - 1]!
  for (let d = 1; d <= mostDefenders; d++) {
    const chances = byDefence[defenceDice(d, bastion) - 1]!
    const fallen = chances.length - 1
    const d0 = d - fallen
    const d1 = d0 + 1
    // The chances that none, one and two attackers fall; where one army falls in all, two cannot.
    const p0 = chances[0]!
    const p1 = chances[1]!
    const p2 = fallen === 2 ? chances[2]! : 0
    const falling = p1 + 2 * p2
    conquest[d] = p0 * conquest[d0]! + p1 * conquest1[d1]! + p2 * conquest2[d]!
    attackersLost[d] = falling + p0 * attackersLost[d0]! + p1 * attackersLost1[d1]! + p2 * attackersLost2[d]!
    defendersLost[d] = fallen - falling + p0 * defendersLost[d0]! + p1 * defendersLost1[d1]! + p2 * defendersLost2[d]!
  }
  return row
}

/** Backward: the row of one attacker, who cannot attack, then of 2, 3, … without end. */
function* rows(mostDefenders: number, bastion: boolean): Generator<Row, never> {
  let twoFewer = emptyRow(mostDefenders)
  let oneFewer = twoFewer
  yield oneFewer
  for (let attackers = 2; ; attackers++) {
    const row = nextRow(attackers, oneFewer, twoFewer, bastion)
    yield row
    twoFewer = oneFewer
    oneFewer = row
  }
}

// Larger battles are rare and are worked out each time, so that one curious query does not stay in memory for ever:
// both tables together hold 3 MB at most, the kept battles some 9 MB.
const LEAST_TABLE = 32
const MOST_TABLE = 256
const MOST_ARMIES_KEPT = 100
const MOST_BATTLES_KEPT = 256

/** Odds with tables and memory of their own; nothing is computed before the first question. */
export function createOdds(): Odds {
  const battles = new Map<string, BattleOdds>()
  let plainTable: readonly Row[] = []
  let bastionTable: readonly Row[] = []

  function grownTable(most: number, bastion: boolean): readonly Row[] {
    let size = LEAST_TABLE
    while (size < most) size *= 2
    const growing = rows(size, bastion)
    const table = Array.from({ length: size }, () => growing.next().value)
    if (bastion) bastionTable = table
    else plainTable = table
    return table
  }

  function rowOf(attackers: number, defenders: number, bastion: boolean): Row {
    demand('attackers', attackers, 2, MOST_ARMIES_FOR_ODDS)
    demand('defenders', defenders, 1, MOST_ARMIES_FOR_ODDS)
    const most = Math.max(attackers, defenders)
    if (most <= MOST_TABLE) {
      const table = bastion ? bastionTable : plainTable
      return (most <= table.length ? table : grownTable(most, bastion))[attackers - 1]!
    }
    const passing = rows(defenders, bastion)
    for (let fewer = 1; fewer < attackers; fewer++) passing.next()
    return passing.next().value
  }

  return {
    battleOdds({ attackers, defenders, bastion, stopAt = 1, maxRolls = MOST_ROLLS }) {
      demand('attackers', attackers, 2, MOST_ARMIES_FOR_ODDS)
      demand('defenders', defenders, 1, MOST_ARMIES_FOR_ODDS)
      demand('stopAt', stopAt, 1, attackers - 1)
      demand('maxRolls', maxRolls, 1, MOST_ROLLS)
      if (Math.max(attackers, defenders) > MOST_ARMIES_KEPT)
        return fight(attackers, defenders, bastion, stopAt, maxRolls)
      const key = `${attackers} ${defenders} ${bastion} ${stopAt} ${maxRolls}`
      const battle = battles.get(key) ?? fight(attackers, defenders, bastion, stopAt, maxRolls)
      // A Map lists its oldest entry first: entering it anew makes this one the newest.
      battles.delete(key)
      battles.set(key, battle)
      if (battles.size > MOST_BATTLES_KEPT) battles.delete(battles.keys().next().value!)
      return battle
    },
    conquestOdds(attackers, defenders, bastion) {
      const row = rowOf(attackers, defenders, bastion)
      return {
        conquest: row.conquest[defenders]!,
        attackersLost: row.attackersLost[defenders]!,
        defendersLost: row.defendersLost[defenders]!,
      }
    },
    conquestProbability: (attackers, defenders, bastion) => rowOf(attackers, defenders, bastion).conquest[defenders]!,
  }
}

/** The odds everyone asks; see `Odds` for units, ranges and refusals (R14, R17). */
export const { battleOdds, conquestOdds, conquestProbability } = createOdds()

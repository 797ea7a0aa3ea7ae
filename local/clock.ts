/** The time of the games: the machine's own, or a faster one to try deadlines in minutes instead of days. */

import { readParsed, writeDurably } from './durable-file.ts'

/** Tells ms since 1970; never goes backwards. */
export interface Clock {
  now(): number
}

export interface RunningClock extends Clock {
  /** Remembers the time reached, so that the next start goes on from it. */
  close(): Promise<void>
}

export interface ClockSettings {
  /** How many seconds pass in the games for each that passes here. */
  readonly speed: number
  /** Where the time reached is kept. A clock that has always run at speed 1 keeps nothing. */
  readonly file: string
  readonly realNow?: () => number
}

/** The time reached, and when; games may have seen any time up to `reserved`. */
interface Reached {
  readonly real: number
  readonly game: number
  readonly reserved: number
}

const REAL_MS_BETWEEN_SAVES = 5_000

/** A clock that goes on where the last one in this folder stopped; while none runs, time passes at its ordinary speed. */
export async function startClock({ speed, file, realNow = Date.now }: ClockSettings): Promise<RunningClock> {
  const reached = await readParsed(file, parseReached)
  const realStart = realNow()
  const gameStart = reached
    ? Math.max(realStart, reached.reserved, Math.floor(reached.game + (realStart - reached.real)))
    : realStart
  if (speed === 1 && gameStart === realStart) {
    let last = 0
    return { now: () => (last = Math.max(last, realNow())), close: async () => {} }
  }

  let last = gameStart
  const now = () => (last = Math.max(last, Math.floor(gameStart + (realNow() - realStart) * speed)))
  const save = (ahead: number) => {
    const game = now()
    return writeDurably(file, JSON.stringify({ real: realNow(), game, reserved: game + Math.ceil(ahead * speed) }))
  }
  // Twice the interval ahead, so that a process killed between two saves has told no time beyond the last one's reserve.
  await save(2 * REAL_MS_BETWEEN_SAVES)
  let saving = Promise.resolve()
  const timer = setInterval(() => {
    saving = saving.then(() => save(2 * REAL_MS_BETWEEN_SAVES)).catch(() => {})
  }, REAL_MS_BETWEEN_SAVES)
  timer.unref()
  return {
    now,
    close: async () => {
      clearInterval(timer)
      await saving
      await save(0)
    },
  }
}

function parseReached(text: string): Reached {
  const { real, game, reserved } = JSON.parse(text) as Record<string, unknown>
  for (const time of [real, game, reserved]) {
    if (!Number.isSafeInteger(time)) throw new Error('a time in it is not a whole number')
  }
  return { real, game, reserved } as Reached
}

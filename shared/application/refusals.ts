/** Why the platform itself refuses a well-formed command: a closed list, each with its sentence. */

export const PLATFORM_REFUSALS = {
  'game-not-running': 'The game is not running: it has not started yet, or it has ended.',
  'game-not-gathering': 'The game no longer takes or loses commanders: it has started or was closed.',
  'already-seated': 'You already have a seat in this game.',
  'game-full': 'Every seat of this game is taken.',
  'not-the-host': 'Only the host may start the game.',
  'too-few-commanders': 'Too few commanders have joined to start.',
  'already-over': 'What this order of the server answers is over already.',
} as const satisfies Record<string, string>

export type PlatformRefusal = keyof typeof PLATFORM_REFUSALS

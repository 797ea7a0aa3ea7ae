import { describe, expect, test } from 'vitest'
import { board, rules } from '../support/conquest-boards.ts'
import { claim, deploy, endTurn, expire, given } from '../support/conquest-given.ts'

const LAND = 'a:red:5 b:red:1 c:blue:2 d:blue:3 e:green:1 f:green:1 g:green:1'
const line = (phase: string, more = '', land = LAND) =>
  `isles red/blue/green red ${phase} ${land} turn=4 round=2${more}`
const next = (land: string, more: string, turn = 5) =>
  `isles red/blue/green blue draft+3 ${land} turn=${turn} round=2${more}`
const turn4 = expire('turn-4')

describe('R25 one deadline a turn', () => {
  test('its task, its beginning and its end', () => {
    const state = given(line('attack', ' since=5000')).when(turn4, [], 'server')
    expect(rules.waitingFor(board(line('attack', ' since=5000')))).toEqual([
      { seat: 1, task: 'turn-4', since: 5000, until: 259_205_000 },
    ])
    expect(rules.waitingFor(state.after)[0]!.task).toBe('turn-5')
    expect(rules.waitingFor(board(line('attack', ' seconds=none')))[0]!.until).toBeNull()
    expect(rules.waitingFor(board(line('attack', ' seconds=60')))[0]!.until).toBe(60_000)
  })
  test('commands do not renew it', () => {
    const placed = given(line('draft+3', ' since=5000')).when(deploy({ a: 1 }))
    expect(rules.waitingFor(placed.after)[0]!.since).toBe(5000)
  })
  test.each(['turn-3', 'turn-5', 'claim-4', 'place-4', 'turn-04', '', 'constructor'])('task-over: %s', (task) => {
    given(line('attack')).when(expire(task), [], 'server').refused('task-over')
  })
  test('task-over after the end; no-deadline where there is none; only for the server', () => {
    given('ring3 red/blue - over:conquest:red/blue a:red:2 b:red:1 c:red:3 turn=4 fallen=blue')
      .when(turn4, [], 'server')
      .refused('task-over')
    given(line('attack', ' seconds=none')).when(turn4, [], 'server').refused('no-deadline')
    given(line('attack')).when(turn4, [], 1).refused('for-the-server-alone')
  })
  test('the command of a task', () => {
    expect(rules.expire('turn-4')).toEqual(turn4)
    expect(rules.schemas.serverCommand.parse(rules.expire('turn-4'))).toEqual(turn4)
  })
})

describe('R25 the least of a turn', () => {
  test('ends it, as a miss', () => {
    given(line('attack'))
      .when(turn4, [], 'server')
      .tells('turnMissed', 'turnEnded', 'turnBegan')
      .becomes(next(LAND, ' misses=1,0,0'))
  })
  test('places the pool on the own territory with most armies of other owners adjacent', () => {
    // Beside a: c 2 and g 1; beside b: c 2.
    given(line('draft+4'))
      .when(turn4, [], 'server')
      .tells('turnMissed', 'armiesDeployed', 'turnEnded', 'turnBegan')
      .becomes(next(LAND.replace('a:red:5', 'a:red:9'), ' misses=1,0,0'))
  })
  test('the garrison’s included, ties to map order', () => {
    const grey = 'a:red:5 b:red:1 c:grey:2 d:blue:3 e:green:1 f:green:1 g:red:1'
    given(line('draft+4', '', grey))
      .when(turn4, [], 'server')
      .becomes(next(grey.replace('a:red:5', 'a:red:9'), ' misses=1,0,0'))
    const far = 'a:red:5 b:red:1 c:red:1 d:grey:9 e:blue:1 f:green:1 g:green:2'
    given(line('draft+4', '', far))
      .when(turn4, [], 'server')
      .becomes(next(far.replace('c:red:1', 'c:red:5'), ' misses=1,0,0'))
  })
  test('trades nothing that is not due', () => {
    given(line('draft', ' hands=red:a+b+c'))
      .when(turn4, [], 'server')
      .becomes(next(LAND, ' hands=red:a+b+c misses=1,0,0'))
  })
  test('while a trade is due trades the set lowest in card order, wilds last', () => {
    // a d b no set; a d e none; a d wild-1 is the first: before a b wild-1.
    given(line('draft+3', ' hands=red:a+b+d+e+wild-1'))
      .when(turn4, [], 'server')
      .tells('turnMissed', 'setTraded', 'armiesDeployed', 'turnEnded', 'turnBegan')
      .becomes(next(LAND.replace('a:red:5', 'a:red:12'), ' hands=red:d+e discards=a+b+wild-1 dial=1 misses=1,0,0'))
  })
  test('occupies with the least, trades down to four or fewer, places and takes the card', () => {
    const pending = 'a:red:5 b:red:1 c:red:0 d:blue:3 e:green:1 f:green:1 g:green:1'
    given(line('occupy:a>c:2', ' conquered hands=red:a+b+c+d+e+f+g+wild-1', pending))
      .when(turn4, [0], 'server')
      .tells(
        'turnMissed',
        'territoryOccupied',
        'setTraded',
        'setTraded',
        'armiesDeployed',
        'cardDrawn',
        'turnEnded',
        'turnBegan',
      )
      .becomes(
        next(
          'a:red:3 b:red:1 c:red:12 d:blue:3 e:green:1 f:green:1 g:green:1',
          ' hands=red:g+wild-1+wild-2 discards=a+b+c+d+e+f dial=2 misses=1,0,0',
        ),
      )
  })
  test('finishes forced trades and their placement', () => {
    given(line('deploy+6'))
      .when(turn4, [], 'server')
      .becomes(next(LAND.replace('a:red:5', 'a:red:11'), ' misses=1,0,0'))
  })
})

describe('R25 misses', () => {
  test('an expired turn is a miss even if orders came earlier in it', () => {
    const acted = given(line('draft+3', ' misses=1,0,0 misses-to-resign=3')).when(deploy({ a: 3 }))
    acted.tells('commanderReturned', 'armiesDeployed')
    given(acted.after)
      .when(turn4, [], 'server')
      .becomes(next(LAND.replace('a:red:5', 'a:red:8'), ' misses-to-resign=3 misses=1,0,0'))
  })
  test('an accepted command in a later turn resets the count, a refused one does not', () => {
    given(line('attack', ' misses=1,1,0'))
      .when(endTurn)
      .tells('commanderReturned', 'turnEnded', 'turnBegan')
      .becomes(next(LAND, ' misses=0,1,0'))
    given(line('attack', ' misses=1,1,0'))
      .when(deploy({ a: 1 }))
      .refused('wrong-phase')
  })
  test('the miss that reaches missesToResign is a resignation instead', () => {
    const grey = LAND.replaceAll('red', 'grey')
    given(line('draft+3', ' misses=1,0,0 conquered hands=red:a'))
      .when(turn4, [], 'server')
      .tells('commanderResigned', 'turnBegan')
      .becomes(next(grey, ' face-down=a misses=1,0,0 fallen=red!'))
    given(line('attack', ' misses-to-resign=1')).when(turn4, [], 'server').tells('commanderResigned', 'turnBegan')
    given(line('attack', ' misses=8,0,0 misses-to-resign=10'))
      .when(turn4, [], 'server')
      .tells('turnMissed', 'turnEnded', 'turnBegan')
  })
  test('it says that it was by missing', () => {
    const [fact] = given(line('attack', ' misses=1,0,0')).when(turn4, [], 'server').events
    expect(fact).toEqual({ type: 'commanderResigned', seat: 1, missed: true })
  })
})

describe('R25 in the setup', () => {
  test('claims the first free territory in map order', () => {
    given(
      'isles red/blue/green red claim a:blue:1 b:free c:free d:red:1 e:green:1 f:free g:free setup=claim reserves=7,7,7 step=4',
    )
      .when(expire('claim-4'), [], 'server')
      .tells('turnMissed', 'territoryClaimed', 'claimAwaited')
      .becomes(
        'isles red/blue/green blue claim a:blue:1 b:red:1 c:free d:red:1 e:green:1 f:free g:free setup=claim reserves=6,7,7 step=5 misses=1,0,0',
      )
  })
  test('places by the same rule', () => {
    given(`isles red/blue/green red place ${LAND} setup=claim reserves=7,7,7 step=8`)
      .when(expire('place-8'), [], 'server')
      .tells('turnMissed', 'armiesDeployed', 'placementAwaited')
      .becomes(
        `isles red/blue/green blue place ${LAND.replace('a:red:5', 'a:red:10')} setup=claim reserves=2,7,7 step=9 misses=1,0,0`,
      )
  })
  test('misses count on from setup to play, and an order resets them', () => {
    const second =
      'isles red/blue/green red claim a:blue:1 b:free c:free d:red:1 e:green:1 f:free g:free setup=claim reserves=7,7,7 step=4 misses=1,0,0'
    given(second).when(expire('claim-4'), [], 'server').tells('commanderResigned', 'claimAwaited')
    given(second).when(claim('c')).tells('commanderReturned', 'territoryClaimed', 'claimAwaited')
  })
})

/** The read models in DynamoDB: rows that follow from the logs, and the only ones that know persons. No call scans the table. */

import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import type { Allowance, Person } from '../../../shared/application/ports.ts'
import {
  type GameRow,
  hasEnded,
  type ListedRow,
  type Profile,
  type ReadModels,
  type RowPage,
} from '../../../shared/application/read-models.ts'
import type { GameId, MemberId } from '../../../shared/event-store/commit.ts'
import { StoreUnavailable } from '../../../shared/event-store/event-store.ts'
import { parseGameId, parseMemberId } from '../../../shared/event-store/ids.ts'
import { isOfTheProgram, nameOf } from './event-store.ts'
import type { Item } from './item-size.ts'

export interface DynamoReadModelsSettings {
  readonly client: DynamoDBClient
  /** Name of the table of read models. */
  readonly table: string
  /** ms since 1970. */
  readonly now: () => number
  /** Told the capacity units of every answered call. */
  readonly onCapacity?: (operation: string, units: number) => void
}

/** How often a day (UTC) a person may do something. */
const A_DAY: Readonly<Record<Parameters<Allowance['take']>[1], number>> = { open: 100, audit: 100, 'test-notice': 10 }
const DAY_MS = 24 * 3600 * 1000
/** How many games a new name is put into. */
const MOST_RENAMED = 500
const ASKED_AGAIN = 5
/** The first characters of game ids: one partition of unfinished games for each. */
const SHARDS = 'abcdefghijklmnopqrstuvwxyz234567'

const gamePartition = (game: GameId) => `GAME#${game}`
const commanderPartition = (subject: string) => `COMMANDER#${subject}`
const unfinishedPartition = (shard: string) => `UNFINISHED#${shard}`
const LOBBY = 'LOBBY'
const POINTER = 'GAME#'

const keyOf = (pk: string, sk: string): Item => ({ pk: { S: pk }, sk: { S: sk } })
const gameKey = (game: GameId) => keyOf(gamePartition(game), 'GAME')
const membersKey = (game: GameId) => keyOf(gamePartition(game), 'MEMBERS')
const profileKey = (subject: string) => keyOf(commanderPartition(subject), 'PROFILE')
const pointerKey = (subject: string, game: GameId) => keyOf(commanderPartition(subject), `${POINTER}${game}`)
const unfinishedKey = (game: GameId) => keyOf(unfinishedPartition(game[0]!), game)
const lobbyPosition = (row: GameRow) => `${String(row.openedAt).padStart(15, '0')}-${row.game}`

/** The read models over one table. Errors that speak of the program or its rights are thrown as the SDK gives them. */
export function createDynamoReadModels({ client, table, now, onCapacity }: DynamoReadModelsSettings): ReadModels {
  type Answered = { readonly ConsumedCapacity?: { readonly CapacityUnits?: number | undefined } | undefined }
  async function counted<T extends Answered>(operation: string, call: () => Promise<T>): Promise<T> {
    try {
      const answer = await call()
      onCapacity?.(operation, answer.ConsumedCapacity?.CapacityUnits ?? 0)
      return answer
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException || isOfTheProgram(error)) throw error
      throw new StoreUnavailable(`the read models did not answer: ${nameOf(error)}`, { cause: error })
    }
  }
  const common = { TableName: table, ReturnConsumedCapacity: 'TOTAL' } as const

  const get = async (Key: Item) =>
    (await counted('GetItem', () => client.send(new GetItemCommand({ ...common, Key, ConsistentRead: true })))).Item
  const put = (Item: Item, condition: object = {}) =>
    counted('PutItem', () => client.send(new PutItemCommand({ ...common, Item, ...condition })))
  const remove = (Key: Item) => counted('DeleteItem', () => client.send(new DeleteItemCommand({ ...common, Key })))

  /** Whether the update was made; false when its condition did not hold. */
  const update = (input: Omit<UpdateItemCommandInput, 'TableName'>) =>
    unlessConditionFails(counted('UpdateItem', () => client.send(new UpdateItemCommand({ ...common, ...input }))))

  async function query(pk: string, prefix: string, after: string | null, limit: number, forwards: boolean) {
    const page = await counted('Query', () =>
      client.send(
        new QueryCommand({
          ...common,
          KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': { S: pk }, ...(prefix === '' ? {} : { ':prefix': { S: prefix } }) },
          ScanIndexForward: forwards,
          Limit: limit,
          ...(after === null ? {} : { ExclusiveStartKey: keyOf(pk, prefix + after) }),
        }),
      ),
    )
    return { items: page.Items ?? [], next: page.LastEvaluatedKey?.['sk']?.S?.slice(prefix.length) ?? null }
  }

  async function getAll(keys: readonly Item[]): Promise<readonly Item[]> {
    const found: Item[] = []
    let asked: Item[] = [...keys]
    for (let tries = 0; asked.length > 0; tries++) {
      if (tries === ASKED_AGAIN) throw new StoreUnavailable('the read models did not answer whole')
      const Keys = asked.slice(0, 100)
      const answer = await counted('BatchGetItem', async () => {
        const { Responses, UnprocessedKeys, ConsumedCapacity } = await client.send(
          new BatchGetItemCommand({ RequestItems: { [table]: { Keys } }, ReturnConsumedCapacity: 'TOTAL' }),
        )
        return { Responses, UnprocessedKeys, ConsumedCapacity: ConsumedCapacity?.[0] }
      })
      found.push(...(answer.Responses?.[table] ?? []))
      const left = answer.UnprocessedKeys?.[table]?.Keys ?? []
      if (left.length < Keys.length) tries = -1
      asked = [...left, ...asked.slice(100)]
    }
    return found
  }

  async function listed(games: readonly GameId[], next: string | null): Promise<RowPage> {
    const items = await getAll(games.flatMap((game) => [gameKey(game), membersKey(game)]))
    const byKey = new Map(items.map((item) => [`${item['pk']!.S} ${item['sk']!.S}`, item]))
    const rows = games.flatMap((game): readonly ListedRow[] => {
      const row = decodeRow(byKey.get(`${gamePartition(game)} GAME`))
      return row ? [{ row, persons: decodePersons(byKey.get(`${gamePartition(game)} MEMBERS`)) }] : []
    })
    return { rows, next }
  }

  async function renameIn(games: readonly GameId[], subject: string, name: string): Promise<void> {
    for (const item of await getAll(games.map(membersKey))) {
      for (const [member, person] of decodePersons(item)) {
        if (person.subject !== subject || person.name === name) continue
        await update({
          Key: { pk: item['pk']!, sk: item['sk']! },
          UpdateExpression: 'SET #member.#name = :name',
          ConditionExpression: '#member.subject = :subject',
          ExpressionAttributeNames: { '#member': member, '#name': 'name' },
          ExpressionAttributeValues: { ':name': { S: name }, ':subject': { S: subject } },
        })
      }
    }
  }

  async function profileOf(subject: string): Promise<Profile | null> {
    const item = await get(profileKey(subject))
    return item ? { name: item['name']!.S!, timeZone: item['timeZone']!.S! } : null
  }

  return {
    async bind(game, member, person, opens) {
      if (opens) await put({ ...unfinishedKey(game), announcedAt: { N: String(now()) } })
      const name = (await profileOf(person.subject))?.name ?? person.name
      await update({
        Key: membersKey(game),
        UpdateExpression: 'SET #member = :person',
        ExpressionAttributeNames: { '#member': member },
        ExpressionAttributeValues: { ':person': { M: { subject: { S: person.subject }, name: { S: name } } } },
      })
    },

    async names(game) {
      const persons = decodePersons(await get(membersKey(game)))
      return new Map([...persons].map(([member, { name }]) => [member, name]))
    },

    take(subject, what, of) {
      const day = Math.floor(now() / DAY_MS)
      return update({
        Key: keyOf(
          commanderPartition(subject),
          `ALLOWANCE#${what}#${new Date(day * DAY_MS).toISOString().slice(0, 10)}`,
        ),
        UpdateExpression: 'ADD takenFor :them SET expires = :expires',
        ConditionExpression: 'attribute_not_exists(takenFor) OR contains(takenFor, :it) OR size(takenFor) < :most',
        ExpressionAttributeValues: {
          ':it': { S: of },
          ':them': { SS: [of] },
          ':most': { N: String(A_DAY[what]) },
          // The table's time to live, in seconds: the day after.
          ':expires': { N: String((day + 2) * (DAY_MS / 1000)) },
        },
      })
    },

    rowOf: async (game) => decodeRow(await get(gameKey(game))),

    async save(row, { seated, left, lobby }) {
      const { game } = row
      if (seated.length > 0 || left.length > 0) {
        const persons = decodePersons(await get(membersKey(game)))
        const gone = left === 'everyone-else' ? [...persons.keys()].filter((each) => !row.members.includes(each)) : left
        // Somebody may have come back under the same id, so those who sit are entered after those who left are struck out.
        for (const member of gone) {
          const person = persons.get(member)
          if (person) await remove(pointerKey(person.subject, game))
        }
        for (const member of seated) {
          const person = persons.get(member)
          if (person) await put(pointerKey(person.subject, game))
        }
      }
      if (lobby === 'list') await put(keyOf(LOBBY, lobbyPosition(row)))
      if (lobby === 'unlist') await remove(keyOf(LOBBY, lobbyPosition(row)))
      const saved = await unlessConditionFails(
        put(encodeRow(row), {
          ConditionExpression: 'attribute_not_exists(pk) OR n <= :n',
          ExpressionAttributeValues: { ':n': { N: String(row.n) } },
        }),
      )
      if (saved && hasEnded(row.phase)) await remove(unfinishedKey(game))
      return saved ? 'saved' : 'older'
    },

    async *unfinished() {
      for (const shard of SHARDS) {
        let after: string | null = null
        do {
          const page: Awaited<ReturnType<typeof query>> = await query(unfinishedPartition(shard), '', after, 100, true)
          for (const item of page.items) {
            const game = parseGameId(item['sk']!.S!)
            if (game) yield { game, announcedAt: Number(item['announcedAt']!.N) }
          }
          after = page.next
        } while (after !== null)
      }
    },

    async forget(game) {
      await remove(unfinishedKey(game))
    },

    async gamesOf(subject, after, limit) {
      const { items, next } = await query(commanderPartition(subject), POINTER, after, limit, true)
      return listed(gamesIn(items), next)
    },

    async lobby(after, limit) {
      const { items, next } = await query(LOBBY, '', after, limit, false)
      return listed(gamesIn(items), next)
    },

    profileOf,

    async keepProfile(subject, { name, timeZone }) {
      await put({ ...profileKey(subject), name: { S: name }, timeZone: { S: timeZone } })
      let after: string | null = null
      for (let renamed = 0; renamed < MOST_RENAMED; renamed += 100) {
        const page: Awaited<ReturnType<typeof query>> = await query(
          commanderPartition(subject),
          POINTER,
          after,
          100,
          true,
        )
        await renameIn(gamesIn(page.items), subject, name)
        if (page.next === null) break
        after = page.next
      }
    },
  }
}

/** The rows of one person's or the lobby's list name a game by the last 20 characters of their sort key. */
function gamesIn(items: readonly Item[]): readonly GameId[] {
  return items.flatMap((item) => parseGameId(item['sk']!.S!.slice(-20)) ?? [])
}

function encodeRow({ game, n, ...rest }: GameRow): Item {
  return { ...gameKey(game), n: { N: String(n) }, row: { S: JSON.stringify(rest) } }
}

function decodeRow(item: Item | undefined): GameRow | null {
  if (!item) return null
  const game = item['pk']!.S!.slice('GAME#'.length) as GameId
  return { game, n: Number(item['n']!.N), ...(JSON.parse(item['row']!.S!) as Omit<GameRow, 'game' | 'n'>) }
}

function decodePersons(item: Item | undefined): ReadonlyMap<MemberId, Person> {
  const persons = new Map<MemberId, Person>()
  for (const [name, value] of Object.entries(item ?? {})) {
    const member = parseMemberId(name)
    if (member && value.M) persons.set(member, { subject: value.M['subject']!.S!, name: value.M['name']!.S! })
  }
  return persons
}

async function unlessConditionFails(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}

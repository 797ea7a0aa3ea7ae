/** The stream of what has been written to the events table, in memory: a signal that a game has grown, and no more than that. */

import { randomBytes } from 'node:crypto'
import type { AttributeValue, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'

export type StoredItem = Readonly<Record<string, AttributeValue>>
export type StreamFunction = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>

export interface StreamSettings {
  /** The function that reads the stream. Items it names as failed, or all when it throws, come again. */
  readonly deliver: StreamFunction
  /** The stream's filter; what does not pass is never delivered. */
  readonly passes?: (record: DynamoDBRecord) => boolean
  readonly most?: { readonly records?: number; readonly batchesAtOnce?: number; readonly waitingPerGame?: number }
  /** Back-off between tries for one game, ms. */
  readonly pause?: { readonly least: number; readonly most: number }
  /** ms after which a call of the function counts as failed. */
  readonly timeout?: number
  readonly table?: { readonly name: string; readonly region: string }
  readonly complain?: (message: string) => void
}

/** The records of one game that wait, in order; at most one batch of a game is under way. */
interface Lane {
  readonly game: string
  readonly waiting: DynamoDBRecord[]
  failures: number
  underWay: boolean
  notBefore: number
}

export class Stream {
  readonly #settings: StreamSettings
  readonly #lanes = new Map<string, Lane>()
  readonly #whenQuiet = new Set<() => void>()
  #batchesUnderWay = 0
  #sequence = 0n
  #paused = false
  #closed = false
  #wake: NodeJS.Timeout | null = null
  #wakeAt = Number.POSITIVE_INFINITY

  constructor(settings: StreamSettings) {
    this.#settings = settings
  }

  /** While paused, records gather and none is delivered. */
  get paused(): boolean {
    return this.#paused
  }

  set paused(paused: boolean) {
    this.#paused = paused
    if (!paused) this.#look(0)
  }

  /** Takes in an item that has been written for good. Never throws, never waits. */
  written(item: StoredItem): void {
    if (this.#closed) return
    const record = this.#recordOf(item)
    if (this.#settings.passes && !this.#settings.passes(record)) return
    const game = item['pk']?.S ?? ''
    const lane = this.#lanes.get(game) ?? { game, waiting: [], failures: 0, underWay: false, notBefore: 0 }
    this.#lanes.set(game, lane)
    lane.waiting.push(record)
    // The newest signal says all that older ones say.
    if (lane.waiting.length > (this.#settings.most?.waitingPerGame ?? 1_000)) lane.waiting.shift()
    this.#look(lane.notBefore - Date.now())
  }

  /** Waits until all has been delivered, `within` ms at most; tells whether that came about. */
  async drain(within: number): Promise<boolean> {
    if (this.#quiet()) return true
    return new Promise((resolve) => {
      const settle = (quiet: boolean) => {
        clearTimeout(timer)
        this.#whenQuiet.delete(onQuiet)
        resolve(quiet)
      }
      const onQuiet = () => settle(true)
      const timer = setTimeout(() => settle(false), within)
      this.#whenQuiet.add(onQuiet)
    })
  }

  /** Delivers nothing more. What still waits is found again by the reconciling at the next start. */
  close(): void {
    this.#closed = true
    if (this.#wake) clearTimeout(this.#wake)
    this.#lanes.clear()
  }

  #quiet(): boolean {
    return this.#lanes.size === 0
  }

  #look(inMs: number): void {
    if (this.#closed || this.#paused) return
    const at = Date.now() + Math.max(0, inMs)
    if (this.#wake && this.#wakeAt <= at) return
    if (this.#wake) clearTimeout(this.#wake)
    this.#wakeAt = at
    this.#wake = setTimeout(() => {
      this.#wake = null
      this.#wakeAt = Number.POSITIVE_INFINITY
      this.#startBatches()
    }, at - Date.now())
  }

  #startBatches(): void {
    const { records: mostRecords = 100, batchesAtOnce = 4 } = this.#settings.most ?? {}
    while (!this.#paused && !this.#closed && this.#batchesUnderWay < batchesAtOnce) {
      const now = Date.now()
      const ready = [...this.#lanes.values()].filter((lane) => !lane.underWay && lane.notBefore <= now)
      // A game that has failed goes alone, so that it cannot take others down with it.
      const first = ready[0]
      if (!first) break
      const together = first.failures > 0 ? [first] : ready.filter((lane) => lane.failures === 0)
      const batch: DynamoDBRecord[] = []
      const taken: Lane[] = []
      for (const lane of together) {
        if (batch.length >= mostRecords) break
        batch.push(...lane.waiting.slice(0, mostRecords - batch.length))
        taken.push(lane)
        lane.underWay = true
      }
      this.#batchesUnderWay += 1
      void this.#deliver(batch).then((failed) => this.#settle(taken, batch, failed))
    }
    const times = [...this.#lanes.values()].filter((lane) => !lane.underWay).map((lane) => lane.notBefore)
    if (times.length > 0 && this.#batchesUnderWay < batchesAtOnce) this.#look(Math.min(...times) - Date.now())
  }

  /** The sequence numbers of what failed. */
  async #deliver(batch: readonly DynamoDBRecord[]): Promise<ReadonlySet<string>> {
    const all = new Set(batch.map(sequenceOf))
    const { deliver, timeout = 30_000, complain } = this.#settings
    let timer: NodeJS.Timeout | undefined
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${timeout} ms`)), timeout)
      })
      const answer = await Promise.race([deliver({ Records: [...batch] }), late])
      const failed = (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier)
      // A name that is not in the batch counts as the whole batch, as on AWS.
      return failed.every((name) => all.has(name)) ? new Set(failed) : all
    } catch (error) {
      complain?.(`the function that reads the stream failed: ${(error as Error)?.message ?? error}`)
      return all
    } finally {
      clearTimeout(timer)
    }
  }

  #settle(lanes: readonly Lane[], batch: readonly DynamoDBRecord[], failed: ReadonlySet<string>): void {
    this.#batchesUnderWay -= 1
    const delivered = new Set(batch)
    for (const lane of lanes) {
      lane.underWay = false
      const firstFailed = lane.waiting.findIndex((record) => failed.has(sequenceOf(record)))
      // Order within a game: what comes after a failed record comes again with it.
      const done = firstFailed >= 0 ? firstFailed : lane.waiting.filter((record) => delivered.has(record)).length
      lane.waiting.splice(0, done)
      if (firstFailed >= 0) {
        lane.failures += 1
        lane.notBefore = Date.now() + this.#pauseAfter(lane.failures)
      } else {
        lane.failures = 0
        lane.notBefore = 0
      }
      if (lane.waiting.length === 0) this.#lanes.delete(lane.game)
    }
    if (this.#quiet()) for (const tell of [...this.#whenQuiet]) tell()
    this.#look(0)
  }

  #pauseAfter(failures: number): number {
    const { least, most } = this.#settings.pause ?? { least: 100, most: 30_000 }
    const longest = Math.min(most, least * 2 ** Math.min(failures - 1, 20))
    return longest / 2 + Math.random() * (longest / 2)
  }

  #recordOf(item: StoredItem): DynamoDBRecord {
    this.#sequence += 1n
    const { name = 'events', region = 'local' } = this.#settings.table ?? {}
    return {
      eventID: randomBytes(16).toString('hex'),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: region,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
        Keys: Object.fromEntries(Object.entries(item).filter(([attribute]) => attribute === 'pk' || attribute === 'n')),
        NewImage: item as Record<string, AttributeValue>,
        SequenceNumber: this.#sequence.toString().padStart(21, '0'),
        SizeBytes: JSON.stringify(item).length,
        StreamViewType: 'NEW_IMAGE',
      },
      eventSourceARN: `arn:aws:dynamodb:${region}:000000000000:table/${name}/stream/local`,
    }
  }
}

function sequenceOf(record: DynamoDBRecord): string {
  return record.dynamodb?.SequenceNumber ?? ''
}

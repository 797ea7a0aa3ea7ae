import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { afterEach, expect, test } from 'vitest'
import { Stream, type StreamSettings } from '../../local/stream.ts'

const streams: Stream[] = []
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})

function streaming(settings: StreamSettings): Stream {
  const stream = new Stream({ pause: { least: 5, most: 20 }, ...settings })
  streams.push(stream)
  return stream
}

const item = (game: string, n: number) => ({ pk: { S: `GAME#${game}` }, n: { N: `${n}` }, w: { N: '1' } })
const told = ({ Records }: DynamoDBStreamEvent) =>
  Records.map(({ dynamodb }) => `${dynamodb!.NewImage!['pk']!.S!.slice(5)}${dynamodb!.NewImage!['n']!.N}`)
const sequences = ({ Records }: DynamoDBStreamEvent) => Records.map(({ dynamodb }) => dynamodb!.SequenceNumber!)
const failing = (...names: string[]): DynamoDBBatchResponse => ({
  batchItemFailures: names.map((itemIdentifier) => ({ itemIdentifier })),
})

test('records have the shape of a stream of new images', async () => {
  const events: DynamoDBStreamEvent[] = []
  const stream = streaming({
    deliver: async (event) => {
      events.push(event)
      return failing()
    },
    table: { name: 'events', region: 'local' },
  })
  stream.written(item('a', 1))
  expect(await stream.drain(1000)).toBe(true)
  expect(events[0]!.Records[0]).toEqual({
    eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'local',
    dynamodb: {
      ApproximateCreationDateTime: expect.any(Number),
      Keys: { pk: { S: 'GAME#a' }, n: { N: '1' } },
      NewImage: item('a', 1),
      SequenceNumber: expect.stringMatching(/^\d{21}$/),
      SizeBytes: expect.any(Number),
      StreamViewType: 'NEW_IMAGE',
    },
    eventSourceARN: expect.stringContaining('table/events/stream/'),
  })
})

test('order holds within a game; what failed comes again with all after it, and only that', async () => {
  const seen: string[] = []
  let failuresLeft = 3
  const stream = streaming({
    deliver: async (event) => {
      seen.push(...told(event))
      const at = told(event).indexOf('a2')
      return at >= 0 && failuresLeft-- > 0 ? failing(sequences(event)[at]!) : failing()
    },
  })
  for (const n of [1, 2, 3]) stream.written(item('a', n))
  stream.written(item('b', 1))
  expect(await stream.drain(2000)).toBe(true)
  expect(seen.filter((each) => each === 'a1')).toHaveLength(1)
  expect(seen.filter((each) => each === 'b1')).toHaveLength(1)
  expect(seen.filter((each) => each === 'a2')).toHaveLength(4)
  const ofA = seen.filter((each) => each.startsWith('a'))
  expect(ofA.slice(-2)).toEqual(['a2', 'a3'])
})

test('a game that always fails, by name or by throwing or by never answering, holds up no other', async () => {
  for (const fail of [
    async () => failing('nobody knows this name'),
    async () => Promise.reject(new Error('broken')),
    () => new Promise<never>(() => {}),
  ]) {
    const done: string[] = []
    const stream = streaming({
      timeout: 20,
      deliver: async (event) => {
        if (told(event).some((each) => each.startsWith('bad'))) return fail()
        done.push(...told(event))
        return failing()
      },
    })
    stream.written(item('bad', 1))
    for (let n = 1; n <= 50; n += 1) stream.written(item(`g${n % 5}`, n))
    await expect.poll(() => done.length, { timeout: 3000 }).toBe(50)
    expect(await stream.drain(30)).toBe(false)
    stream.close()
  }
})

test('the filter keeps out what does not pass; while paused nothing is delivered, and nothing lost', async () => {
  const seen: string[] = []
  const stream = streaming({
    passes: ({ dynamodb }) => dynamodb?.NewImage?.['n']?.N !== '2',
    deliver: async (event) => {
      seen.push(...told(event))
      return failing()
    },
  })
  stream.paused = true
  for (const n of [1, 2, 3]) stream.written(item('a', n))
  expect(await stream.drain(30)).toBe(false)
  expect(seen).toEqual([])
  stream.paused = false
  expect(await stream.drain(1000)).toBe(true)
  expect(seen).toEqual(['a1', 'a3'])
})

test('of a long queue only the newest signals are kept: they say all that the older ones say', async () => {
  const seen: string[] = []
  const stream = streaming({
    most: { waitingPerGame: 3 },
    deliver: async (event) => {
      seen.push(...told(event))
      return failing()
    },
  })
  stream.paused = true
  for (let n = 1; n <= 10; n += 1) stream.written(item('a', n))
  stream.paused = false
  await stream.drain(1000)
  expect(seen).toEqual(['a8', 'a9', 'a10'])
})

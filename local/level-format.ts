/** How LevelDB lays out its files: logs of checksummed records, and blocks that may be packed with snappy. */

const BLOCK = 32_768
const HEADER = 7
const FULL = 1
const FIRST = 2
const LAST = 4

/** What is read is not what LevelDB writes. */
export class Malformed extends Error {}

/** Reads the numbers and strings of LevelDB one after the other. */
export class Cursor {
  at = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get done(): boolean {
    return this.at >= this.bytes.length
  }

  take(length: number): Buffer {
    if (length > this.bytes.length - this.at) throw new Malformed('it ends too early')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  little(length: number): number {
    return length === 0 ? 0 : this.take(length).readUIntLE(0, length)
  }

  varint(): number {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = this.little(1)
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  string(): Buffer {
    return this.take(this.varint())
  }
}

/**
 * The records of a log, up to a torn tail as a crash leaves it: a last record that is incomplete or unsound, or zeros,
 * within the size of a block. Anything else that is unsound throws Malformed.
 */
export function recordsOf(log: Buffer): Buffer[] {
  const records: Buffer[] = []
  let pieces: Buffer[] | null = null
  for (let at = 0; at + HEADER <= log.length; ) {
    const end = blockEnd(at)
    if (end - at < HEADER) {
      if (!isZero(log.subarray(at, end))) throw new Malformed(`the padding at ${at} is not empty`)
      at = end
      continue
    }
    const piece = pieceAt(log, at)
    if (!piece) {
      if (isTornTail(log, at)) break
      throw new Malformed(`the record at ${at} is not what was written`)
    }
    const type = log[at + 6]!
    const starts = type === FULL || type === FIRST
    if (starts ? pieces?.some(({ length }) => length > 0) : !pieces)
      throw new Malformed(`a part of the record at ${at} is missing`)
    const soFar: Buffer[] = starts ? [piece] : [...pieces!, piece]
    pieces = soFar
    if (type === FULL || type === LAST) {
      records.push(soFar.length === 1 ? piece : Buffer.concat(soFar))
      pieces = null
    }
    at += HEADER + piece.length
  }
  return records
}

function blockEnd(at: number): number {
  return at - (at % BLOCK) + BLOCK
}

/** What the header at this place speaks of, if it is a header and its checksum is right. */
function pieceAt(log: Buffer, at: number): Buffer | null {
  const type = log[at + 6]!
  if (type < FULL || type > LAST) return null
  const end = at + HEADER + log.readUInt16LE(at + 4)
  if (end > log.length || end > blockEnd(at)) return null
  return maskedCrc(log.subarray(at + 6, end)) === log.readUInt32LE(at) ? log.subarray(at + HEADER, end) : null
}

function isTornTail(log: Buffer, at: number): boolean {
  if (log.length - at > BLOCK) return false
  if (isZero(log.subarray(at))) return true
  const type = log[at + 6]!
  const end = at + HEADER + log.readUInt16LE(at + 4)
  if (type > LAST || end > blockEnd(at) || !isZero(log.subarray(end))) return false
  for (let later = at + 1; later + HEADER <= log.length; later += 1) if (pieceAt(log, later)) return false
  return true
}

export function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

/** The contents of a block, followed in the file by how it is packed and a checksum over both. */
export function blockOf(file: Buffer, at: number, length: number): Buffer {
  if (at + length + 5 > file.length) throw new Malformed(`the block at ${at} reaches beyond its end`)
  const sealed = file.subarray(at, at + length + 1)
  if (maskedCrc(sealed) !== file.readUInt32LE(at + length + 1))
    throw new Malformed(`the block at ${at} is not what was written`)
  return sealed
}

/** The values of a sealed block, in order. */
export function valuesOf(sealed: Buffer): Buffer[] {
  const packed = sealed.subarray(0, -1)
  const plain = sealed.at(-1) === 1 ? unpacked(packed) : packed
  if (plain.length < 4) throw new Malformed('it has a block that is too short')
  const entries = plain.length - 4 - 4 * plain.readUInt32LE(plain.length - 4)
  if (entries < 0) throw new Malformed('it has a block that is too short')
  const cursor = new Cursor(plain.subarray(0, entries))
  const values: Buffer[] = []
  while (!cursor.done) {
    cursor.varint()
    const key = cursor.varint()
    const value = cursor.varint()
    cursor.take(key)
    values.push(cursor.take(value))
  }
  return values
}

/** Snappy: pieces given as they are, and copies of what came before. */
function unpacked(packed: Buffer): Buffer {
  const cursor = new Cursor(packed)
  const plain = Buffer.alloc(cursor.varint())
  let at = 0
  while (!cursor.done) {
    const tag = cursor.little(1)
    const high = tag >> 2
    if ((tag & 3) === 0) {
      at += cursor.take((high < 60 ? high : cursor.little(high - 59)) + 1).copy(plain, at)
      continue
    }
    const near = (tag & 3) === 1
    const length = near ? (high & 7) + 4 : high + 1
    const back = near ? ((tag >> 5) << 8) + cursor.little(1) : cursor.little((tag & 3) === 2 ? 2 : 4)
    if (back === 0 || back > at || at + length > plain.length) throw new Malformed('it has a block that cannot be read')
    for (const end = at + length; at < end; at += 1) plain[at] = plain[at - back]!
  }
  return plain
}

/** For each of four places of a byte in a word, what it does to the checksum. */
const CRC = [0, 1, 2, 3].map(() => new Uint32Array(256)) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array]
for (let byte = 0; byte < 256; byte += 1) {
  let crc = byte
  for (let bit = 0; bit < 32; bit += 1) {
    crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0)
    if (bit % 8 === 7) CRC[(bit - 7) / 8]![byte] = crc
  }
}

/** CRC32C, turned as LevelDB keeps it. */
export function maskedCrc(bytes: Uint8Array): number {
  const [one, two, three, four] = CRC
  const words = bytes.length & ~3
  let crc = -1
  let at = 0
  for (; at < words; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    crc = four[crc & 255]! ^ three[(crc >>> 8) & 255]! ^ two[(crc >>> 16) & 255]! ^ one[crc >>> 24]!
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ one[(crc ^ bytes[at]!) & 255]!
  crc = ~crc
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

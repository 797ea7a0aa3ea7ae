/** JSON in which a key stands twice: `JSON.parse` keeps the last value in silence, other readers the first. */

/** A key that some object of this JSON text has twice, or null. The text must be well-formed; keys that differ only in escapes are one. */
export function doubledKey(text: string): string | null {
  const objects: (Set<string> | null)[] = []
  for (let place = 0; place < text.length; place++) {
    switch (text[place]) {
      case '{':
        objects.push(new Set())
        break
      case '[':
        objects.push(null)
        break
      case '}':
      case ']':
        objects.pop()
        break
      case '"': {
        const end = endOfString(text, place)
        const keys = objects.at(-1)
        if (keys && isKey(text, end)) {
          const key = JSON.parse(text.slice(place, end)) as string
          if (keys.has(key)) return key
          keys.add(key)
        }
        place = end - 1
        break
      }
    }
  }
  return null
}

/** The place after the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

/** Whether a colon follows: in well-formed JSON only a key has one. */
function isKey(text: string, end: number): boolean {
  let next = end
  while (' \t\r\n'.includes(text[next] ?? 'x')) next++
  return text[next] === ':'
}

/** Looks for secret bytes in what has been put out, in every form they might take. */

export interface SecretBytes {
  readonly what: string
  readonly bytes: Uint8Array
}

/** The texts by which bytes would show, each at least 16 bytes of them long. */
export function formsOf(bytes: Uint8Array): Readonly<Record<string, string>> {
  const whole = Buffer.from(bytes)
  const hex = whole.toString('hex')
  const raw = whole.toString('latin1')
  return {
    hex: hex.slice(0, 32),
    'upper-case hex': hex.slice(0, 32).toUpperCase(),
    'hex in pairs': hex.slice(0, 32).replace(/../g, '$& ').trim(),
    base64: whole.toString('base64').slice(0, 21),
    base64url: whole.toString('base64url').slice(0, 21),
    raw: raw.slice(0, 16),
    'raw in JSON': JSON.stringify(raw).slice(1, 40),
    numbers: [...whole.subarray(0, 16)].join(','),
  }
}

/** Which secrets show in the texts, and how. */
export function leaksIn(texts: readonly string[], secrets: readonly SecretBytes[]): readonly string[] {
  const all = texts.join('\n')
  return secrets.flatMap(({ what, bytes }) =>
    Object.entries(formsOf(bytes)).flatMap(([form, text]) => (all.includes(text) ? [`${what} as ${form}`] : [])),
  )
}

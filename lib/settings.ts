/** What differs from one deployment to the next. Fill in your own; nothing else in lib/ needs to be touched. */

export interface Settings {
  /** Part of every stack's name, so that several stages can live in one account. */
  readonly stage: string
  readonly region: string
  /** The page that people come back to after signing in; it must end with a slash. */
  readonly site: `https://${string}/`
  /** Sign-in codes come from here. The domain must be a verified identity of SES in this region, out of the sandbox. */
  readonly mail: { readonly domain: string; readonly from: string; readonly fromName: string }
  /** Whom the alarms wake. */
  readonly alarmsTo: string
  /** First part of the sign-in page's host name; nobody else in the region may have it. */
  readonly signInPrefix: string
  /** Calls a second to the API, for all callers together. */
  readonly throttle: { readonly steady: number; readonly burst: number }
  /** Raise it after changing the secret of the master keys: deploying then starts containers that read it anew. */
  readonly masterKeysRevision: number
}

export const SETTINGS: Settings = {
  stage: 'live',
  region: 'eu-central-1',
  site: 'https://hazard.example.org/',
  mail: { domain: 'example.org', from: 'hazard@example.org', fromName: 'Hazard' },
  alarmsTo: 'operator@example.org',
  signInPrefix: 'hazard-example-org',
  throttle: { steady: 50, burst: 100 },
  masterKeysRevision: 1,
}

/** The settings that still hold an example where an address of one's own must stand. */
export function exampleSettings({ site, mail, alarmsTo, signInPrefix }: Settings): readonly string[] {
  const addresses = { site, 'mail.domain': mail.domain, 'mail.from': mail.from, alarmsTo, signInPrefix }
  return Object.entries(addresses).flatMap(([name, value]) => (/example[.-](org|com)/.test(value) ? [name] : []))
}

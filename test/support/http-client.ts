/** A commander who knows HTTP and what `legal` says, and no rule of any game: what a friend's own client would be. */

export interface Heard {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly json: any
}

export interface SeenHead {
  readonly n: number
  readonly hash: string
}

/** An order as it is sent. */
export interface Sent {
  readonly commandId: string
  readonly seen: SeenHead
  readonly command: object
  readonly invitation?: string
}

let ids = 0
/** A command id nobody else has. */
export const newCommandId = (): string => `e2e-${process.pid}-${String(++ids).padStart(6, '0')}`

/** One request, without a token unless it is among the headers. */
export async function ask(url: string, init: RequestInit = {}): Promise<Heard> {
  const response = await fetch(url, init)
  const text = await response.text()
  const json = /json/.test(response.headers.get('content-type') ?? '') ? parsed(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Someone signed in. */
export class HttpCommander {
  readonly name: string
  readonly #token: string
  #origin: string

  private constructor(origin: string, token: string, name: string) {
    this.#origin = origin
    this.#token = token
    this.name = name
  }

  static async signIn(origin: string, name: string): Promise<HttpCommander> {
    const heard = await ask(`${origin}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${name}@example.org`, name }),
    })
    if (heard.status !== 200) throw new Error(`no sign-in: ${heard.text}`)
    return new HttpCommander(origin, heard.json.token, name)
  }

  get origin(): string {
    return this.#origin
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}` }
  }

  /** The same person with a new sign-in at another address: after a restart. */
  at(origin: string): Promise<HttpCommander> {
    return HttpCommander.signIn(origin, this.name)
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Heard> {
    return ask(this.#origin + path, { headers: { ...this.headers, ...headers } })
  }

  send(method: string, path: string, body: unknown): Promise<Heard> {
    const headers = { ...this.headers, 'content-type': 'application/json' }
    return ask(this.#origin + path, { method, headers, body: JSON.stringify(body) })
  }

  /** The body of an answer that must be one. */
  async read(path: string): Promise<Heard['json']> {
    const heard = await this.get(path)
    if (heard.status !== 200) throw new Error(`GET ${path}: ${heard.status} ${heard.text}`)
    return heard.json
  }

  /** Opens a game of Conquest. */
  async open(options: object, seats: number, visibility: 'public' | 'private' = 'public'): Promise<Heard['json']> {
    const body = { commandId: newCommandId(), kind: 'conquest', options, seats, visibility }
    const heard = await this.send('POST', '/api/games', body)
    if (heard.status !== 201) throw new Error(`not opened: ${heard.text}`)
    return heard.json
  }

  command(game: string, sent: Sent): Promise<Heard> {
    return this.send('POST', `/api/games/${game}/commands`, sent)
  }

  /** Gives what `choose` makes of what is legal, and again on 409 after reading anew; null if it gives nothing. */
  async give(game: string, choose: (legal: readonly LegalOrder[]) => object | null, more: object = {}): Promise<Heard> {
    for (let tries = 0; tries < 20; tries++) {
      const { head, legal } = await this.read(`/api/games/${game}/legal`)
      const command = choose(legal)
      if (command === null) throw new Error(`${this.name} has nothing to give: ${JSON.stringify(legal)}`)
      const heard = await this.command(game, { commandId: newCommandId(), seen: head, command, ...more })
      if (heard.status === 200) return heard
      if (heard.status !== 409) throw new Error(`${JSON.stringify(command)}: ${heard.status} ${heard.text}`)
    }
    throw new Error(`${this.name} was overtaken twenty times`)
  }

  /** Joins; `more` may hold the invitation, without which a private game shows nothing. */
  async join(game: string, seen: SeenHead, more: { readonly invitation?: string } = {}): Promise<Heard['json']> {
    let newest = seen
    for (let tries = 0; tries < 20; tries++) {
      const sent = { commandId: newCommandId(), seen: newest, command: { type: 'join' }, ...more }
      const heard = await this.command(game, sent)
      if (heard.status === 200) return heard.json
      if (heard.status !== 409) throw new Error(`not joined: ${heard.text}`)
      newest = heard.json.head
    }
    throw new Error('overtaken twenty times')
  }

  /** The whole log as this commander may see it: the commits of every page. */
  async log(game: string): Promise<Heard['json'][]> {
    const commits: Heard['json'][] = []
    for (let after: number | null = 0; after !== null; ) {
      const page: Heard['json'] = await this.read(`/api/games/${game}/events?after=${after}`)
      commits.push(...page.commits)
      after = page.next
    }
    return commits
  }

  /** All games of a list, over its pages. */
  async list(show: 'mine' | 'open'): Promise<Heard['json'][]> {
    const games: Heard['json'][] = []
    for (let cursor = ''; ; ) {
      const page = await this.read(`/api/games?show=${show}${cursor}`)
      games.push(...page.games)
      if (page.next === null) return games
      cursor = `&cursor=${encodeURIComponent(page.next)}`
    }
  }
}

interface Range {
  readonly least: number
  readonly most: number
}

/** An order of `legal`, as its JSON is. */
export interface LegalOrder {
  readonly type: string
  readonly origin?: string
  readonly target?: string
  readonly destination?: string
  readonly territories?: readonly string[]
  readonly total?: Range
  readonly armies?: Range
  readonly stopAt?: Range
  readonly sets?: readonly { readonly cards: readonly string[]; readonly armies: number }[]
  readonly odds?: { readonly conquest: number } | null
}

/** Borders by territory, as the map file of `/api/maps` tells them. */
export type Borders = ReadonlyMap<string, readonly string[]>

/** Fetches which territories border on which. */
export async function fetchBorders(origin: string, map: string): Promise<Borders> {
  const { json } = await ask(`${origin}/api/maps/${map}`)
  const borders = new Map<string, string[]>()
  for (const [one, other] of [...json.map.landBorders, ...json.map.seaRoutes] as [string, string][]) {
    borders.set(one, [...(borders.get(one) ?? []), other])
    borders.set(other, [...(borders.get(other) ?? []), one])
  }
  return borders
}

type Standing = Readonly<Record<string, { readonly owner: number | null; readonly armies: number }>>

/**
 * Fills in what `legal` offers, so that games end: trades, stands where the best attack begins, assaults by the odds told, moves
 * all armies on, fortifies now and then. `pick` draws from 0 to k − 1.
 */
export function chooseBoldly(
  legal: readonly LegalOrder[],
  standing: Standing,
  borders: Borders,
  pick: (k: number) => number,
): object {
  const of = (type: string) => legal.filter((order) => order.type === type)
  const [trade] = of('trade')
  if (trade) {
    const [best] = [...trade.sets!].sort((one, other) => other.armies - one.armies)
    return { type: 'trade', cards: best!.cards }
  }
  const [claim] = of('claim')
  if (claim) return { type: 'claim', territory: claim.territories![pick(claim.territories!.length)] }
  const [deploy] = of('deploy')
  if (deploy) {
    const rivals = (own: string) => (borders.get(own) ?? []).filter((each) => !deploy.territories!.includes(each))
    const advantage = (own: string) =>
      Math.max(-1e9, ...rivals(own).map((each) => standing[own]!.armies - standing[each]!.armies))
    const [best] = [...deploy.territories!].sort((one, other) => advantage(other) - advantage(one))
    return { type: 'deploy', placements: [{ territory: best, armies: deploy.total!.most }] }
  }
  const [occupy] = of('occupy')
  if (occupy) return { type: 'occupy', armies: pick(4) === 0 ? occupy.armies!.least : occupy.armies!.most }
  const assaults = of('assault').sort((one, other) => (other.odds?.conquest ?? 1) - (one.odds?.conquest ?? 1))
  const [best] = assaults
  if (best && (best.odds?.conquest ?? 1) > 0.55) {
    const { origin, target } = best
    const attack = of('attack').find((each) => each.origin === origin && each.target === target)
    if (pick(6) === 0 && attack) return { type: 'attack', origin, target, dice: 1 }
    // Sometimes no wish, so that occupations come up.
    return pick(3) === 0 ? { type: 'assault', origin, target } : { type: 'assault', origin, target, occupy: 'most' }
  }
  const inland = (own: string) =>
    (borders.get(own) ?? []).every((each) => standing[each]!.owner === standing[own]!.owner)
  const moves = of('fortify').filter((each) => inland(each.origin!) && each.armies!.most > 2)
  const move = moves[pick(Math.max(1, moves.length))]
  if (move && pick(2) === 0)
    return { type: 'fortify', origin: move.origin, destination: move.destination, armies: move.armies!.most }
  return { type: 'endTurn' }
}

/** Plays the whole game, whoever is awaited giving an order, until it is over or `most` orders are given; the last view. */
export async function playOn(
  commanders: readonly HttpCommander[],
  game: string,
  pick: (k: number) => number,
  { most = 5_000, watch = async (_n: number) => {} } = {},
): Promise<Heard['json']> {
  const [host] = commanders
  let sight = await host!.read(`/api/games/${game}`)
  const borders = await fetchBorders(host!.origin, sight.game.options.map)
  for (let given = 0; sight.game.phase === 'running' && given < most; given++) {
    const { seat } = sight.game.waitingFor[0]
    const standing = sight.game.view.territories
    const heard = await commanders[seat - 1]!.give(game, (legal) => chooseBoldly(legal, standing, borders, pick))
    sight = heard.json
    await watch(sight.head.n)
  }
  return sight
}

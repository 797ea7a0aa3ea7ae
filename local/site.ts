/** What a browser finds beside the API and the sign-in. */

import { readFile } from 'node:fs/promises'
import type { Pages } from './gateway.ts'
import { allows, escaped, send, sendPage } from './page.ts'

export interface SiteSettings {
  /** Shown under `/README.md`, if there is such a file. */
  readonly readme: string
  readonly dataFolder: string
}

/** The pages of a machine without the browser client: a welcome, and the README. */
export function createSite({ readme, dataFolder }: SiteSettings): Pages {
  return async (_request, response, path) => {
    if (path === '/') {
      if (allows(response, 'GET')) sendPage(response, 200, 'Hazard', welcome(dataFolder))
      return
    }
    if (path === '/README.md') {
      const text = await readFile(readme, 'utf8').catch(() => null)
      if (text !== null) {
        if (allows(response, 'GET')) send(response, 200, 'text/plain; charset=utf-8', text)
        return
      }
    }
    sendPage(
      response,
      404,
      'Not here',
      `<h1>Not here</h1>\n<p>There is nothing at <em>${escaped(path)}</em>.</p>\n<p><a href="/">Back to the start</a></p>`,
    )
  }
}

function welcome(dataFolder: string): string {
  return `<h1>Hazard</h1>
<p>Play-by-turn war and dice among friends.</p>
<p>This is a whole Hazard on one machine. Commanders give their orders over hours or days; the dice are fair and
can be checked afterwards; every game is kept in <em>${escaped(dataFolder)}</em> and outlives any crash.</p>
<ul>
<li><a href="/sign-in">Sign in</a> with a name and an address; no password among friends</li>
<li><a href="/api/openapi.json">The API</a> that every client plays through</li>
<li><a href="/README.md">The README</a> with a first turn by curl</li>
</ul>`
}

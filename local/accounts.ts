/** Who plays on this machine. Nobody is asked for a password: it is one machine among friends. */

import { randomUUID } from 'node:crypto'
import { readParsed, writeDurably } from './durable-file.ts'

export interface Account {
  /** Random, made at the first sign-in, the same ever after. */
  readonly id: string
  /** Lower-case. */
  readonly email: string
  readonly name: string
}

export interface Accounts {
  /** The account of this address, made if there is none; a name given replaces the old one. Durable when it returns. */
  signIn(email: string, name?: string): Promise<Account>
  find(id: string): Account | undefined
}

/** What cannot be an e-mail address or a name, in words for the person who typed it. */
export class NotAnAccount extends Error {
  override readonly name = 'NotAnAccount'
  readonly field: 'email' | 'name'

  constructor(field: 'email' | 'name', sentence: string) {
    super(sentence)
    this.field = field
  }
}

const LONGEST_EMAIL = 254
const LONGEST_NAME = 40

/** Opens the file of accounts, which is made at the first sign-in. Throws Complaint if it is damaged. */
export async function openAccounts(file: string): Promise<Accounts> {
  const accounts = new Map((await readParsed(file, parseAccounts))?.map((account) => [account.email, account]))
  let saved = Promise.resolve()

  return {
    async signIn(givenEmail, givenName) {
      const email = parseEmail(givenEmail)
      const known = accounts.get(email)
      const name =
        givenName === undefined
          ? (known?.name ?? email.slice(0, email.indexOf('@')).slice(0, LONGEST_NAME))
          : parseName(givenName)
      if (!known || known.name !== name) {
        accounts.set(email, { id: known?.id ?? randomUUID(), email, name })
        const text = () => `${JSON.stringify({ accounts: [...accounts.values()] }, null, 1)}\n`
        saved = saved.catch(() => {}).then(() => writeDurably(file, text()))
      }
      await saved
      return accounts.get(email)!
    },
    find: (id) => [...accounts.values()].find((account) => account.id === id),
  }
}

function parseEmail(given: string): string {
  const email = given.trim().toLowerCase()
  if (email === '') throw new NotAnAccount('email', 'email is missing')
  if (email.length > LONGEST_EMAIL) throw new NotAnAccount('email', `email has more than ${LONGEST_EMAIL} characters`)
  if (!/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(email)) {
    throw new NotAnAccount('email', 'email is not an address such as anna@example.org')
  }
  return email
}

function parseName(given: string): string {
  const name = given.trim().replace(/\s+/gu, ' ')
  if (name === '') throw new NotAnAccount('name', 'name is empty')
  if ([...name].length > LONGEST_NAME) throw new NotAnAccount('name', `name has more than ${LONGEST_NAME} characters`)
  if (/[\p{C}]/u.test(name)) throw new NotAnAccount('name', 'name has characters that cannot be shown')
  return name
}

function parseAccounts(text: string): readonly Account[] {
  const { accounts } = JSON.parse(text) as { accounts?: unknown }
  if (!Array.isArray(accounts)) throw new Error('it holds no list of accounts')
  return accounts.map((account: Record<string, unknown> | null): Account => {
    const { id, email, name } = account ?? {}
    if (typeof id !== 'string' || typeof email !== 'string' || typeof name !== 'string') {
      throw new Error('an account in it lacks its id, email or name')
    }
    return { id, email, name }
  })
}

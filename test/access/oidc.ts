import { afterAll } from 'vitest'
import type { TestApp } from '../app.ts'
import { trustTestCertificate } from '../tls.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { Browser } from './browser.ts'
import { startProvider, type TestProvider } from './identity-provider.ts'
import { inviteAsOrganizer, signInWith } from './sessions.ts'

export const eva = 'eva@summit.example'

export const mo = 'mo@summit.example'

/** A server with an identity provider, at which the organizer Eva has connected the account `eva`. */
export interface AppWithProvider extends AppWithKeys {
  provider: TestProvider
}

/** Lets the tests of a file connect to the identity provider. */
export function trustProvider(): void {
  const trust = trustTestCertificate()
  afterAll(() => trust[Symbol.dispose]())
}

/** @param options of the client at the provider */
export async function startAppWithProvider(
  options: object = {},
  settings: Record<string, string> = {},
): Promise<AppWithProvider> {
  const provider = await startProvider(options)
  const t = await startAppWithKeys('members', { ...provider.settings, ...settings })
  return {
    ...t,
    provider,
    [Symbol.asyncDispose]: async () => {
      await t[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

/** A browser in which an organizer has redeemed an invitation. */
export async function browserOf(t: TestApp, email: string): Promise<Browser> {
  const { setCookie } = await signInWith(t.url, await inviteAsOrganizer(t, email, ['owner']))
  const browser = new Browser(t.url)
  browser.setCookie('__Host-summit', setCookie.split(/[=;]/)[1] ?? '', true)
  return browser
}

/** Connects the account that is logged in at the provider. @returns the browser */
export async function connectAccount(t: TestApp, email = eva): Promise<Browser> {
  const browser = await browserOf(t, email)
  await browser.submit('/sign-in/oidc/connect')
  return browser
}

/** The organizer who is signed in in a browser. */
export async function organizerIn({ client }: Browser): Promise<string | undefined> {
  const { envelope } = await client.call('getMe', {})
  return envelope.data && 'me' in envelope.data ? envelope.data.me.organizer?.email : undefined
}

/** The sentence of a page that reports a failure. */
export const alertIn = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1]

/** The kinds of changes since an id, with what they changed. */
export async function changesOf({ ctx }: TestApp, kind: string): Promise<number[]> {
  const rows = await ctx.database.read.selectFrom('change').selectAll().where('kind', '=', kind).orderBy('id').execute()
  return rows.map(({ record_id }) => record_id)
}

export const notConnected = /^This account does not belong to an organizer yet\./

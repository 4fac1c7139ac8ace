import { expect } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { type AppWithMail, askAs, CodeBrowser } from './codes.ts'

/** An app sends none of the headers by which browsers name the source of a request. */
export class App extends CodeBrowser {
  protected override readonly pageHeaders = {}
  redeemForToken = (code: string) => this.post('/api/sign-in/code/redeem', { code, bearer: true })
}

/** Signs Ana in. @returns the secret of the session */
export async function signIn(t: AppWithMail, app = new App(t)): Promise<string> {
  return tokenIn(await app.redeemForToken(await askAs(t, app)))
}

export function tokenIn({ text }: { text: string }): string {
  const { token } = JSON.parse(text)[0].data
  expect(token).toMatch(/^smt_[\w-]{43}$/)
  return token
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const clientWith = (t: { url: string }, token: string) => createClient(t.url, { headers: bearer(token) })

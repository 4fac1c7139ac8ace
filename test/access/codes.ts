import { expect } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { setLoginEmail } from '../../src/server/domains/participants/login-emails.ts'
import type { TestApp } from '../app.ts'
import { inCommand } from '../in-command.ts'
import { type ReceivedMail, startMailServer } from '../mail-server.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { ownPage } from './sessions.ts'

/** A server that sends mail to {@link received}, and on which Ana signs in with `ana@login.example`. */
export interface AppWithMail extends AppWithKeys {
  received: ReceivedMail[]
}

export const anasAddress = 'ana@login.example'

export async function startAppWithMail(settings: Record<string, string> = {}): Promise<AppWithMail> {
  await using stack = new AsyncDisposableStack()
  const mail = stack.use(await startMailServer())
  const t = stack.use(await startAppWithKeys('members', { ...mailSettings(mail), ...settings }))
  await setLogin(t, t.ana.participant, anasAddress)
  const disposal = stack.move()
  return { ...t, received: mail.received, [Symbol.asyncDispose]: () => disposal.disposeAsync() }
}

export const mailSettings = ({ port }: { port: number }) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: 'Summit <summit@summit.example>',
})

export const setLogin = (t: Pick<TestApp, 'ctx'>, id: ParticipantId, email: string) =>
  inCommand(t, (scope) => setLoginEmail(scope, id, email))

/** The response to a request, with its headers and exact text. */
export interface Response {
  code: number
  reason: string | undefined
  headers: Headers
  text: string
}

/** A browser that asks for codes and redeems them, on pages of ours. It stores its cookies. */
export class CodeBrowser {
  readonly cookies = new Map<string, string>()
  /** By which it names the page. */
  protected readonly pageHeaders: Record<string, string> = ownPage
  /** Of one of several servers. */
  url: string
  headers: Record<string, string>

  constructor({ url }: { url: string }, headers: Record<string, string> = {}) {
    this.url = url
    this.headers = headers
  }

  async post(path: string, body: object): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ')
    const headers = {
      'content-type': 'application/json',
      ...this.pageHeaders,
      ...this.headers,
      ...(cookie && { cookie }),
    }
    const response = await fetch(this.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    for (const setCookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? []
      this.cookies.set(name, value)
    }
    const text = await response.text()
    const [{ response_code, data }] = JSON.parse(text)
    return { code: response_code, reason: data.reason, headers: response.headers, text }
  }

  ask = (email: string): Promise<Response> => this.post('/api/sign-in/code', { email })
  redeem = (code: string): Promise<Response> => this.post('/api/sign-in/code/redeem', { code })

  /** The person who is signed in. */
  get client(): Client {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ')
    return createClient(this.url, { headers: { cookie, ...ownPage } })
  }
}

/** The digits in a mail. */
export const codeIn = ({ message }: ReceivedMail): string => {
  const [, code = ''] = /^ {4}(\d{4} \d{4})\r$/m.exec(message) ?? []
  return code.replace(' ', '')
}

/** A code that is not this one. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1e8).padStart(8, '0')

/** All mails, once as many have arrived: they are sent in the background. */
export async function mailsOf({ received }: Pick<AppWithMail, 'received'>, count: number): Promise<ReceivedMail[]> {
  await expect.poll(() => received).toHaveLength(count)
  return received
}

/** The code in the newest mail, once as many have arrived. */
export async function codeOf(t: Pick<AppWithMail, 'received'>, mails: number): Promise<string> {
  return codeIn((await mailsOf(t, mails)).at(-1) ?? make.only([]))
}

/** Asks for a code. @returns the code in the mail */
export async function askAs(t: AppWithMail, browser: CodeBrowser, email = anasAddress): Promise<string> {
  const mails = t.received.length + 1
  expect(await browser.ask(email)).toMatchObject({ code: 1000 })
  return codeOf(t, mails)
}

export const readCodes = ({ ctx }: AppWithMail) =>
  ctx.database.read.selectFrom('code').selectAll().orderBy('id').execute()

import { expect, test, vi } from 'vitest'
import { noParticipant } from '../../src/server/core/ids.ts'
import { startOtherServer, startTestApp } from '../app.ts'
import { holdWrites } from '../databases.ts'
import { mailTimeoutMs } from '../mail-server.ts'
import * as make from '../make.ts'
import { publicUrl, startAppWithKeys } from './app-with-keys.ts'
import { type AppWithMail, anasAddress, Browser, codeIn, otherThan, setLogin, startAppWithMail } from './codes.ts'
import { sendInvitation } from './sessions.ts'

// A participant signs in with a code that is sent by e-mail.

const minute = 60_000

/** The newest code sent to an address, once as many mails have arrived. */
async function codeOf({ received }: AppWithMail, mails = received.length + 1): Promise<string> {
  await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(mails), mailTimeoutMs)
  return codeIn(received[mails - 1] ?? make.only([]))
}

/** Asks for a code. @returns the code in the mail */
async function askAs(t: AppWithMail, browser: Browser, email = anasAddress): Promise<string> {
  const mails = t.received.length + 1
  expect(await browser.ask(email)).toMatchObject({ code: 1000 })
  return codeOf(t, mails)
}

const readCodes = ({ ctx }: AppWithMail) => ctx.database.read.selectFrom('code').selectAll().orderBy('id').execute()

test('a participant signs in with the code in the mail, in the browser that has asked for it', async () => {
  await using t = await startAppWithMail()
  const browser = new Browser(t)
  const asked = await browser.ask(' Ana@Login.example ')
  expect(asked.headers.get('set-cookie')).toMatch(
    /^__Host-summit-browser=smt_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=7776000$/,
  )
  expect(asked.headers.get('cache-control')).toBe('private, no-store')
  const code = await codeOf(t, 1)
  const [mail] = t.received
  expect(mail?.to).toEqual([anasAddress])
  expect(mail?.message).toContain('Subject: Sign in to summit.example\r\n')
  expect(mail?.message.split('\r\n\r\n').slice(1).join('\n\n').replaceAll('\r\n', '\n')).toBe(
    `Your code to sign in to summit.example:\n\n    ${code.slice(0, 4)} ${code.slice(4)}\n\n` +
      'Enter it in the same browser within 10 minutes. Give it to nobody.\nIf you did not ask for it, ignore this mail.\n',
  )
  const redeemed = await browser.redeem(` ${code.slice(0, 4)} ${code.slice(4)} `)
  expect(redeemed.code).toBe(1000)
  expect(redeemed.headers.get('set-cookie')).toMatch(/^__Host-summit=smt_[\w-]{43}; .*; SameSite=Lax; /)
  expect((await browser.client.getMe({})).me).toMatchObject({
    participant: { id: String(t.ana.participant), email: 'ana@summit.example' },
    organizer: null,
    roles: [],
  })
})

test('the response for an address of nobody has the same bytes, and no mail is sent', async () => {
  await using t = await startAppWithMail()
  // The address in the profile, which anyone may have written, is not one to sign in with.
  const addresses = [anasAddress, 'ben@summit.example', 'nobody@login.example']
  const responses = await Promise.all(addresses.map((email) => new Browser(t).ask(email)))
  const withoutSecrets = ({ text, headers }: (typeof responses)[number]) => {
    const { 'request-id': _id, date: _date, 'set-cookie': cookie = '', ...others } = Object.fromEntries(headers)
    return { text, others, cookie: cookie.replace(/smt_[\w-]{43}/, '') }
  }
  const [first, ...others] = responses.map(withoutSecrets)
  for (const other of others) expect(other).toEqual(first)
  // Those of others would have arrived before a later one.
  await codeOf(t, 1)
  await askAs(t, new Browser(t))
  expect(t.received.map(({ to }) => make.only(to))).toEqual([anasAddress, anasAddress])
  const wrong = await Promise.all(
    addresses.map(async (email) => {
      const browser = new Browser(t)
      await browser.ask(email)
      const tries = []
      for (let nth = 0; nth < 6; nth++) tries.push((await browser.redeem('00000000')).reason)
      return tries
    }),
  )
  expect(wrong[0]).toEqual(Array.from({ length: 6 }, () => 'CODE_INVALID'))
  expect(wrong[1]).toEqual(wrong[0])
  expect(wrong[2]).toEqual(wrong[0])
})

test('of 50 redemptions of one code at once, on two servers, one starts a session', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const browser = new Browser(t)
  const code = await askAs(t, browser)
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => {
      const copy = new Browser(nth % 2 ? t : other)
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
      return copy.redeem(code)
    }),
  )
  expect(responses.filter(({ code }) => code === 1000)).toHaveLength(1)
  expect(responses.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1)
  expect(responses.filter(({ reason }) => reason === 'CODE_INVALID')).toHaveLength(49)
  const sessions = t.ctx.database.read.selectFrom('credential').selectAll().where('kind', '=', 'session')
  expect(await sessions.execute()).toHaveLength(1)
})

test('a code is of no use in another browser, or without one, and is not used up there', async () => {
  await using t = await startAppWithMail()
  const browser = new Browser(t)
  const code = await askAs(t, browser)
  const other = new Browser(t)
  expect((await other.redeem(code)).reason).toBe('CODE_INVALID')
  await other.ask('nobody@login.example')
  expect((await other.redeem(code)).reason).toBe('CODE_INVALID')
  expect((await browser.redeem(code)).code).toBe(1000)
})

test('a code is valid for 10 minutes, once, and until the same browser asks for the next one', async () => {
  await using t = await startAppWithMail()
  const browser = new Browser(t)
  const expired = await askAs(t, browser)
  t.advance(10 * minute)
  expect((await browser.redeem(expired)).reason).toBe('CODE_INVALID')
  const replaced = await askAs(t, browser)
  const code = await askAs(t, browser)
  expect((await browser.redeem(replaced)).reason).toBe('CODE_INVALID')
  t.advance(10 * minute - 1)
  expect((await browser.redeem(code)).code).toBe(1000)
  expect((await browser.redeem(code)).reason).toBe('CODE_INVALID')
})

test('after 5 wrong tries the right code is refused, also after a restart and on another server', async () => {
  await using t = await startAppWithMail()
  const browser = new Browser(t)
  const code = await askAs(t, browser)
  for (let nth = 0; nth < 4; nth++) {
    await using other = await startOtherServer(t)
    browser.url = other.url
    expect((await browser.redeem(otherThan(code))).reason).toBe('CODE_INVALID')
  }
  browser.url = t.url
  expect((await browser.redeem(otherThan(code))).reason).toBe('CODE_INVALID')
  expect((await browser.redeem(code)).reason).toBe('CODE_INVALID')
  expect((await readCodes(t)).map(({ wrong_tries }) => wrong_tries)).toEqual([5])
})

test('50 wrong tries at once, on two servers, are 5', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const browser = new Browser(t)
  const code = await askAs(t, browser)
  await Promise.all(
    Array.from({ length: 50 }, (_, nth) => {
      const copy = new Browser(nth % 2 ? t : other)
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
      return copy.redeem(otherThan(code))
    }),
  )
  expect((await readCodes(t)).map(({ wrong_tries }) => wrong_tries)).toEqual([5])
  expect((await browser.redeem(code)).reason).toBe('CODE_INVALID')
})

test('for one address other browsers get 10 codes in 15 minutes, on all servers; that of its owner gets its own', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const own = new Browser(t)
  expect((await own.redeem(await askAs(t, own))).code).toBe(1000)
  for (let nth = 1; nth < 10; nth++) expect((await new Browser(nth % 2 ? t : other).ask(anasAddress)).code).toBe(1000)
  const refused = await new Browser(other).ask(anasAddress)
  expect(refused).toMatchObject({ code: 4290, reason: 'TOO_MANY_ATTEMPTS' })
  expect(refused.headers.get('retry-after')).toBe('900')
  expect(refused.headers.get('set-cookie')).toBe(null)
  // The limit of somebody else's address says nothing about whether it is known.
  for (let nth = 0; nth < 10; nth++) expect((await new Browser(t).ask('nobody@login.example')).code).toBe(1000)
  expect((await new Browser(t).ask('nobody@login.example')).code).toBe(4290)

  await vi.waitFor(() => expect(t.received).toHaveLength(10), mailTimeoutMs)
  expect((await own.redeem(await askAs(t, own))).code).toBe(1000)
  t.advance(15 * minute)
  const newcomer = new Browser(t)
  expect((await newcomer.redeem(await askAs(t, newcomer))).code).toBe(1000)
})

test('one browser gets 10 codes in 15 minutes', async () => {
  await using t = await startAppWithMail()
  const browser = new Browser(t)
  for (let nth = 0; nth < 10; nth++) expect((await browser.ask(`${nth}@login.example`)).code).toBe(1000)
  expect((await browser.ask('10@login.example')).reason).toBe('TOO_MANY_ATTEMPTS')
})

test('after 20 wrong tries for an address a code elsewhere has one, which its owner needs', async () => {
  await using t = await startAppWithMail()
  for (let nth = 0; nth < 4; nth++) {
    const stranger = new Browser(t)
    const code = await askAs(t, stranger)
    for (let tries = 0; tries < 5; tries++) await stranger.redeem(otherThan(code))
  }
  const owner = new Browser(t)
  expect((await owner.redeem(await askAs(t, owner))).code).toBe(1000)
  const stranger = new Browser(t)
  const code = await askAs(t, stranger)
  await stranger.redeem(otherThan(code))
  expect((await stranger.redeem(code)).reason).toBe('CODE_INVALID')
  expect((await readCodes(t)).reduce((sum, { wrong_tries }) => sum + wrong_tries, 0)).toBe(21)
  // In a browser that is known, a slip of the pen is none.
  const again = await askAs(t, owner)
  await owner.redeem(otherThan(again))
  expect((await owner.redeem(again)).code).toBe(1000)
})

test('10,000 codes in 15 minutes that nobody redeems are the most; a browser of their owner still gets one', async () => {
  await using t = await startAppWithMail()
  const owner = new Browser(t)
  expect((await owner.redeem(await askAs(t, owner))).code).toBe(1000)
  const common = { purpose: 'sign-in', participant_id: noParticipant, network: '', code_hmac: '00' }
  const codes = Array.from({ length: 9_999 }, (_, nth) => ({
    ...common,
    email: `${nth}@login.example`,
    browser_sha256: String(nth),
    created_at: t.ctx.clock(),
  }))
  await t.ctx.database.transaction(async (db) => {
    for (let nth = 0; nth < codes.length; nth += 1_000)
      await db
        .insertInto('code')
        .values(codes.slice(nth, nth + 1_000))
        .execute()
  })
  expect((await new Browser(t).ask('last@login.example')).code).toBe(1000)
  for (const email of ['nobody@login.example', anasAddress]) {
    const refused = await new Browser(t).ask(email)
    expect([refused.reason, refused.headers.get('retry-after')]).toEqual(['TOO_MANY_ATTEMPTS', '900'])
  }
  expect((await owner.redeem(await askAs(t, owner))).code).toBe(1000)
  t.advance(15 * minute)
  expect((await new Browser(t).ask('nobody@login.example')).code).toBe(1000)
})

test('a request that is refused without looking at a code does not wait for the writes of others', async () => {
  await using t = await startAppWithMail()
  const asking = new Browser(t)
  for (let nth = 0; nth < 10; nth++) await asking.ask('nobody@login.example')
  const guessing = new Browser(t)
  await guessing.ask(anasAddress)
  for (let nth = 0; nth < 5; nth++) await guessing.redeem('00000000')
  const release = await holdWrites(t)
  const responses = [
    await new Browser(t).redeem('00000000'),
    await guessing.redeem('00000000'),
    await asking.ask('nobody@login.example'),
    await new Browser(t).ask('nobody@login.example'),
    await new Browser(t).ask('not an address'),
  ]
  await release()
  expect(responses.map(({ reason }) => reason)).toEqual([
    'CODE_INVALID',
    'CODE_INVALID',
    'TOO_MANY_ATTEMPTS',
    'TOO_MANY_ATTEMPTS',
    'VALIDATION_FAILED',
  ])
})

test('behind trusted proxies one network gets 5 codes for an address, and the mail says which has asked', async () => {
  await using t = await startAppWithMail({ TRUSTED_PROXIES: '127.0.0.1' })
  const from = (address: string) => new Browser(t, { 'x-forwarded-for': address })
  for (let nth = 0; nth < 5; nth++) expect((await from('203.0.113.7').ask(anasAddress)).code).toBe(1000)
  expect((await from('203.0.113.7').ask(anasAddress)).code).toBe(4290)
  expect((await from('203.0.113.7').ask('nobody@login.example')).code).toBe(1000)
  await vi.waitFor(() => expect(t.received).toHaveLength(5), mailTimeoutMs)
  const owner = from('198.51.100.1')
  expect((await owner.redeem(await askAs(t, owner))).code).toBe(1000)
  expect(t.received[5]?.message).toContain('\r\nIt was asked for from the address 198.51.100.1.\r\n')
})

test('without trusted proxies, nobody chooses the address that the mail names', async () => {
  await using t = await startAppWithMail()
  await askAs(t, new Browser(t, { 'x-forwarded-for': '203.0.113.7' }))
  expect(t.received[0]?.message).not.toContain('address')
})

test('a code that was not redeemed is deleted after an hour', async () => {
  await using t = await startAppWithMail()
  await new Browser(t).ask(anasAddress)
  t.advance(60 * minute)
  await new Browser(t).ask('nobody@login.example')
  expect((await readCodes(t)).map(({ email }) => email)).toEqual(['nobody@login.example'])
})

test('another address to sign in with, and no participant any more, invalidate the codes', async () => {
  await using t = await startAppWithMail()
  const browser = new Browser(t)
  const code = await askAs(t, browser)
  await setLogin(t, t.ana.participant, 'other@login.example')
  expect((await browser.redeem(code)).reason).toBe('CODE_INVALID')
  const next = await askAs(t, browser, 'other@login.example')
  expect((await browser.redeem(next)).code).toBe(1000)
})

test('a retried code starts the session again in the browser that has sent it, and in no other', async () => {
  await using t = await startAppWithMail()
  const browser = new Browser(t, { 'idempotency-key': 'sign-in' })
  const mails = t.received.length + 1
  await browser.ask(anasAddress)
  const code = await codeOf(t, mails)
  const copy = new Browser(t, { 'idempotency-key': 'redeem' })
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  browser.headers = copy.headers
  expect((await browser.redeem(code)).code).toBe(1000)
  const stranger = new Browser(t, copy.headers)
  expect((await stranger.redeem(code)).reason).toBe('CODE_INVALID')
  const again = await copy.redeem(code)
  expect([again.code, again.headers.get('idempotency-replayed')]).toEqual([1000, null])
  expect(again.headers.get('set-cookie')).toMatch(/^__Host-summit=smt_/)
})

test('no code is sent to what is not one e-mail address', async () => {
  await using t = await startAppWithMail()
  const addresses = [
    '',
    'ana',
    `${anasAddress}, ben@login.example`,
    `${anasAddress}\nBcc: x@y.example`,
    'Ana <a@b.example>',
  ]
  for (const email of addresses) expect((await new Browser(t).ask(email)).reason, email).toBe('VALIDATION_FAILED')
  expect(await readCodes(t)).toEqual([])
})

test('a mail that cannot be sent changes nothing for the person who has asked', async () => {
  await using t = await startAppWithMail({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const [known, unknown] = await Promise.all([anasAddress, 'x@login.example'].map((email) => new Browser(t).ask(email)))
  expect(known?.text).toBe(unknown?.text)
})

test('without SMTP_URL there are no codes, and after the summit neither', async () => {
  await using t = await startAppWithKeys('public')
  expect(await new Browser(t).ask(anasAddress)).toMatchObject({ code: 4090, reason: 'NO_MAIL' })
  await using after = await startAppWithMail({ SUMMIT_ENDS: '2030-04-01' })
  expect((await new Browser(after).ask('nobody@login.example')).reason).toBe('SUMMIT_ENDED')
})

test('pages of other sites can neither ask for a code nor redeem one', async () => {
  await using t = await startAppWithMail()
  const browser = new Browser(t, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })
  expect((await browser.ask(anasAddress)).reason).toBe('CROSS_ORIGIN')
  expect((await browser.redeem('00000000')).reason).toBe('CROSS_ORIGIN')
})

test('where ACCESS is open, there are no codes', async () => {
  await using t = await startTestApp({ PUBLIC_URL: publicUrl })
  expect((await new Browser(t).ask(anasAddress)).code).toBe(4041)
  expect((await sendInvitation(t.url, 'x')).response_code).toBe(4041)
})

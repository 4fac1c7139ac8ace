import { expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import {
  anasAddress,
  askAs,
  CodeBrowser,
  codeOf,
  mailsOf,
  otherThan,
  readCodes,
  setLogin,
  startAppWithMail,
} from './codes.ts'

// Codes of which many are sent or tried, on several servers, and behind proxies.

const minute = 60_000

test('the response for an address of nobody has the same bytes, and no mail is sent', async () => {
  await using t = await startAppWithMail()
  // The address in the profile, which anyone may have written, is not one to sign in with.
  const addresses = [anasAddress, 'ben@summit.example', 'nobody@login.example']
  const responses = await Promise.all(addresses.map((email) => new CodeBrowser(t).ask(email)))
  const withoutSecrets = ({ text, headers }: (typeof responses)[number]) => {
    const { 'request-id': _id, date: _date, 'set-cookie': cookie = '', ...others } = Object.fromEntries(headers)
    return { text, others, cookie: cookie.replace(/smt_[\w-]{43}/, '') }
  }
  const [first, ...others] = responses.map(withoutSecrets)
  for (const other of others) expect(other).toEqual(first)
  // Those of others would have arrived before a later one.
  await codeOf(t, 1)
  await askAs(t, new CodeBrowser(t))
  expect(t.received.map(({ to }) => make.only(to))).toEqual([anasAddress, anasAddress])
  const wrong = await Promise.all(
    addresses.map(async (email) => {
      const browser = new CodeBrowser(t)
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
  const browser = new CodeBrowser(t)
  const code = await askAs(t, browser)
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => {
      const copy = new CodeBrowser(nth % 2 ? t : other)
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

test('50 wrong tries at once, on two servers, are 5', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const browser = new CodeBrowser(t)
  const code = await askAs(t, browser)
  await Promise.all(
    Array.from({ length: 50 }, (_, nth) => {
      const copy = new CodeBrowser(nth % 2 ? t : other)
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
  const own = new CodeBrowser(t)
  expect((await own.redeem(await askAs(t, own))).code).toBe(1000)
  for (let nth = 1; nth < 10; nth++)
    expect((await new CodeBrowser(nth % 2 ? t : other).ask(anasAddress)).code).toBe(1000)
  const refused = await new CodeBrowser(other).ask(anasAddress)
  expect(refused).toMatchObject({ code: 4290, reason: 'TOO_MANY_ATTEMPTS' })
  expect(refused.headers.get('retry-after')).toBe('900')
  expect(refused.headers.get('set-cookie')).toBe(null)
  // The limit of somebody else's address says nothing about whether it is known.
  for (let nth = 0; nth < 10; nth++) expect((await new CodeBrowser(t).ask('nobody@login.example')).code).toBe(1000)
  expect((await new CodeBrowser(t).ask('nobody@login.example')).code).toBe(4290)

  await mailsOf(t, 10)
  expect((await own.redeem(await askAs(t, own))).code).toBe(1000)
  t.advance(15 * minute)
  const newcomer = new CodeBrowser(t)
  expect((await newcomer.redeem(await askAs(t, newcomer))).code).toBe(1000)
})

test('after 20 wrong tries for an address a code elsewhere has one, which its owner needs', async () => {
  await using t = await startAppWithMail()
  for (let nth = 0; nth < 4; nth++) {
    const stranger = new CodeBrowser(t)
    const code = await askAs(t, stranger)
    for (let tries = 0; tries < 5; tries++) await stranger.redeem(otherThan(code))
  }
  const owner = new CodeBrowser(t)
  expect((await owner.redeem(await askAs(t, owner))).code).toBe(1000)
  const stranger = new CodeBrowser(t)
  const code = await askAs(t, stranger)
  await stranger.redeem(otherThan(code))
  expect((await stranger.redeem(code)).reason).toBe('CODE_INVALID')
  expect((await readCodes(t)).reduce((sum, { wrong_tries }) => sum + wrong_tries, 0)).toBe(21)
  // In a browser that is known, a slip of the pen is none.
  const again = await askAs(t, owner)
  await owner.redeem(otherThan(again))
  expect((await owner.redeem(again)).code).toBe(1000)
})

test('behind trusted proxies one network gets 5 codes for an address, and the mail says which has asked', async () => {
  await using t = await startAppWithMail({ TRUSTED_PROXIES: '127.0.0.1' })
  const from = (address: string) => new CodeBrowser(t, { 'x-forwarded-for': address })
  for (let nth = 0; nth < 5; nth++) expect((await from('203.0.113.7').ask(anasAddress)).code).toBe(1000)
  expect((await from('203.0.113.7').ask(anasAddress)).code).toBe(4290)
  expect((await from('203.0.113.7').ask('nobody@login.example')).code).toBe(1000)
  await mailsOf(t, 5)
  const owner = from('198.51.100.1')
  expect((await owner.redeem(await askAs(t, owner))).code).toBe(1000)
  expect(t.received[5]?.message).toContain('\r\nIt was requested from the address 198.51.100.1.\r\n')
})

test('another address to sign in with, and no participant any more, invalidate the codes', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
  const code = await askAs(t, browser)
  await setLogin(t, t.ana.participant, 'other@login.example')
  expect((await browser.redeem(code)).reason).toBe('CODE_INVALID')
  const next = await askAs(t, browser, 'other@login.example')
  expect((await browser.redeem(next)).code).toBe(1000)
})

test('without SMTP_URL there are no codes, and after the summit neither', async () => {
  await using t = await startAppWithKeys('public')
  expect(await new CodeBrowser(t).ask(anasAddress)).toMatchObject({ code: 4090, reason: 'NO_MAIL' })
  await using after = await startAppWithMail({ SUMMIT_ENDS: '2030-04-01' })
  expect((await new CodeBrowser(after).ask('nobody@login.example')).reason).toBe('SUMMIT_ENDED')
})

test('two weeks after the summit no code signs anybody in', async () => {
  await using t = await startAppWithMail()
  await using after = await startOtherServer(t, { summitEnds: '2030-04-01' })
  const browser = new CodeBrowser(t)
  const code = await askAs(t, browser)
  browser.url = after.url
  expect((await browser.redeem(code)).reason).toBe('SUMMIT_ENDED')
  browser.url = t.url
  expect((await browser.redeem(code)).code).toBe(1000)
})

import { expect, test } from 'vitest'
import { startOtherServer, startTestApp } from '../app.ts'
import { holdWrites } from '../databases.ts'
import { publicUrl } from './app-with-keys.ts'
import { anasAddress, askAs, CodeBrowser, codeOf, otherThan, readCodes, startAppWithMail } from './codes.ts'

// A participant signs in with a code that is sent by e-mail.

const minute = 60_000

test('a participant signs in with the code in the mail, in the browser that has asked for it', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
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
      'Enter it in the same browser or app within 10 minutes.\nDo not share it with anyone.\nIf you did not request it, ignore this message.\n',
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

test('a code is of no use in another browser, or without one, and is not used up there', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
  const code = await askAs(t, browser)
  const other = new CodeBrowser(t)
  expect((await other.redeem(code)).reason).toBe('CODE_INVALID')
  await other.ask('nobody@login.example')
  expect((await other.redeem(code)).reason).toBe('CODE_INVALID')
  expect((await browser.redeem(code)).code).toBe(1000)
})

test('a code is valid for 10 minutes, once, and until the same browser asks for the next one', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
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
  const browser = new CodeBrowser(t)
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

test('one browser gets 10 codes in 15 minutes', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
  for (let nth = 0; nth < 10; nth++) expect((await browser.ask(`${nth}@login.example`)).code).toBe(1000)
  t.advance(5 * minute)
  const refused = await browser.ask('10@login.example')
  expect([refused.reason, refused.headers.get('retry-after')]).toEqual(['TOO_MANY_ATTEMPTS', '600'])
})

test('a request that is refused without looking at a code does not wait for the writes of others', async () => {
  await using t = await startAppWithMail()
  const asking = new CodeBrowser(t)
  for (let nth = 0; nth < 10; nth++) await asking.ask('nobody@login.example')
  const guessing = new CodeBrowser(t)
  await guessing.ask(anasAddress)
  for (let nth = 0; nth < 5; nth++) await guessing.redeem('00000000')
  const release = await holdWrites(t)
  const responses = [
    await new CodeBrowser(t).redeem('00000000'),
    await guessing.redeem('00000000'),
    await asking.ask('nobody@login.example'),
    await new CodeBrowser(t).ask('nobody@login.example'),
    await new CodeBrowser(t).ask('not an address'),
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

test('without trusted proxies, nobody chooses the address that the mail names', async () => {
  await using t = await startAppWithMail()
  await askAs(t, new CodeBrowser(t, { 'x-forwarded-for': '203.0.113.7' }))
  expect(t.received[0]?.message).not.toContain('address')
})

test('a code that was not redeemed is deleted once it has expired', async () => {
  await using t = await startAppWithMail()
  await new CodeBrowser(t).ask(anasAddress)
  t.advance(10 * minute)
  await new CodeBrowser(t).ask('nobody@login.example')
  expect((await readCodes(t)).map(({ email }) => email)).toEqual(['nobody@login.example'])
})

test('a retried code starts the session again in the browser that has sent it, and in no other', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t, { 'idempotency-key': 'sign-in' })
  const code = await askAs(t, browser)
  const copy = new CodeBrowser(t, { 'idempotency-key': 'redeem' })
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  browser.headers = copy.headers
  expect((await browser.redeem(code)).code).toBe(1000)
  const stranger = new CodeBrowser(t, copy.headers)
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
  for (const email of addresses) expect((await new CodeBrowser(t).ask(email)).reason, email).toBe('VALIDATION_FAILED')
  expect(await readCodes(t)).toEqual([])
})

test('a mail that cannot be sent changes nothing for the person who has asked', async () => {
  await using t = await startAppWithMail({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const [known, unknown] = await Promise.all(
    [anasAddress, 'x@login.example'].map((email) => new CodeBrowser(t).ask(email)),
  )
  expect(known?.text).toBe(unknown?.text)
})

test('pages of other sites can neither ask for a code nor redeem one', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })
  expect((await browser.ask(anasAddress)).reason).toBe('CROSS_ORIGIN')
  expect((await browser.redeem('00000000')).reason).toBe('CROSS_ORIGIN')
})

test('where ACCESS is open, there are no codes', async () => {
  await using t = await startTestApp({ PUBLIC_URL: publicUrl })
  expect((await new CodeBrowser(t).ask(anasAddress)).code).toBe(4041)
})

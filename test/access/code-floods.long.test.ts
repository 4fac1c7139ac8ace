import { expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { redeemAtSecondTry, stranger } from './code-floods.fixtures.ts'
import {
  type AppWithMail,
  anasAddress,
  askAs,
  CodeBrowser,
  codeIn,
  mailsOf,
  otherThan,
  readCodes,
  setLogin,
  startAppWithMail,
} from './codes.ts'
import { askForChange, signInAna } from './login-emails.ts'

const minute = 60_000

const readCounts = ({ ctx }: AppWithMail) => ctx.database.read.selectFrom('attempt_count').selectAll().execute()

/** Makes the count of all codes 9,999, as if others had asked for them. */
async function askAsOthers(t: AppWithMail): Promise<void> {
  await new CodeBrowser(t).ask('others@login.example')
  await t.ctx.database.transaction((db) => db.updateTable('attempt_count').set({ attempts: 9_999 }).execute())
}

const mailsTo = ({ received }: AppWithMail, address: string) => received.filter(({ to }) => to[0] === address)

test('a participant who changes the own address in between sends a stranger no more mail', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const browser = await signInAna(t)
  const ask = (email: string) => browser.post('/api/me/login-email/codes', { email })
  let own = anasAddress
  let mails = 0
  for (let round = 0; round < 3; round++) {
    browser.url = round % 2 ? other.url : t.url
    browser.cookies.delete('__Host-summit-browser')
    const next = `ana-${round}@own.example`
    for (const email of [stranger, stranger, stranger, stranger, next]) if ((await ask(email)).code === 1000) mails += 2
    await mailsOf(t, mails)
    const newest = (address: string) => mailsTo(t, address).map(codeIn).at(-1) ?? ''
    const codes = { old_code: newest(own), new_code: newest(next) }
    if ((await browser.client.call('changeLoginEmail', codes)).envelope.response_code === 1000) own = next
  }
  // The participant gets codes for 5 new addresses.
  expect(own).toBe('ana-1@own.example')
  expect(mailsTo(t, stranger)).toHaveLength(3)
  // Others send the stranger none either, and Ana none to other strangers.
  await setLogin(t, t.ben.participant, 'ben@login.example')
  const { envelope } = await t.ben.client.call('requestLoginEmailChange', { email: stranger })
  expect(envelope).toMatchObject({ response_code: 4290, data: { reason: 'TOO_MANY_ATTEMPTS' } })
  t.advance(15 * minute)
  for (const nth of [0, 1, 2, 3, 4]) expect((await ask(`${nth}@elsewhere.example`)).code).toBe(1000)
  browser.cookies.delete('__Host-summit-browser')
  expect((await ask('5@elsewhere.example')).reason).toBe('TOO_MANY_ATTEMPTS')
})

test('all participants together have 100 codes sent to new addresses in 15 minutes', async () => {
  await using t = await startAppWithMail()
  await setLogin(t, t.ben.participant, 'ben@login.example')
  expect((await t.ben.client.call('requestLoginEmailChange', { email: stranger })).envelope.response_code).toBe(1000)
  await t.ctx.database.transaction((db) => db.updateTable('attempt_count').set({ attempts: 100 }).execute())
  const browser = await signInAna(t)
  expect((await browser.post('/api/me/login-email/codes', { email: 'x@elsewhere.example' })).code).toBe(4290)
  // Signing in does not depend on it.
  expect((await new CodeBrowser(t).ask(anasAddress)).code).toBe(1000)
})

test('guesses at the code of a stranger are counted over the hour, whatever is asked anew', async () => {
  await using t = await startAppWithMail()
  const browser = await signInAna(t)
  const change = async (old_code: string, new_code: string) =>
    (await browser.client.call('changeLoginEmail', { old_code, new_code })).envelope.response_code
  let own = anasAddress
  for (let round = 0; round < 2; round++) {
    for (let nth = 0; nth < 3; nth++) {
      const codes = await askForChange(t, browser, stranger, own)
      for (let tries = 0; tries < 5; tries++) await change(codes.old_code, otherThan(codes.new_code))
    }
    const next = `ana-${round}@own.example`
    const codes = await askForChange(t, browser, next, own)
    expect(await change(codes.old_code, codes.new_code)).toBe(1000)
    own = next
    t.advance(15 * minute)
  }
  const codes = await askForChange(t, browser, stranger, own)
  await change(codes.old_code, otherThan(codes.new_code))
  expect(await change(codes.old_code, codes.new_code)).toBe(4031)
  // Nor may somebody else guess more.
  await setLogin(t, t.ana.participant, stranger)
  const guesser = new CodeBrowser(t)
  const code = await askAs(t, guesser, stranger)
  await guesser.redeem(otherThan(code))
  expect((await guesser.redeem(code)).reason).toBe('CODE_INVALID')
})

/** Enters 5 wrong codes for each of 4 addresses. */
async function guess(browser: CodeBrowser, next: () => void): Promise<void> {
  for (let nth = 0; nth < 4; nth++) {
    expect((await browser.ask(`nobody-${nth}@login.example`)).code).toBe(1000)
    for (let tries = 0; tries < 5; tries++) expect((await browser.redeem('00000000')).code).toBe(4031)
    next()
  }
}

test('after 20 wrong tries for other addresses, a code that the same browser asks for has one', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
  await guess(browser, () => undefined)
  expect(await redeemAtSecondTry(t, browser)).toBe(4031)
  expect(await redeemAtSecondTry(t, new CodeBrowser(t))).toBe(1000)
})

test('after 20 wrong tries of a participant in several browsers, a code that they ask for has one', async () => {
  await using t = await startAppWithMail()
  const browser = await signInAna(t)
  await guess(browser, () => browser.cookies.delete('__Host-summit-browser'))
  expect(await redeemAtSecondTry(t, browser)).toBe(4031)
  expect(await redeemAtSecondTry(t, new CodeBrowser(t))).toBe(1000)
})

test.each([
  [298, 1000],
  [299, 4031],
])(
  'after %i wrong tries from the same network, the right code at the second try gets %i',
  async (attempts, outcome) => {
    await using t = await startAppWithMail({ TRUSTED_PROXIES: '127.0.0.1' })
    const from = (address: string) => new CodeBrowser(t, { 'x-forwarded-for': address })
    const other = from('203.0.113.7')
    await other.ask('nobody@login.example')
    await other.redeem('00000000')
    await t.ctx.database.transaction((db) => db.updateTable('attempt_count').set({ attempts }).execute())
    expect(await redeemAtSecondTry(t, from('203.0.113.7'))).toBe(outcome)
    expect(await redeemAtSecondTry(t, from('198.51.100.1'))).toBe(1000)
  },
)

test('counts outlive an address that is set anew, and a participant who is erased, and name neither', async () => {
  await using t = await startAppWithMail()
  const id = t.ana.participant
  const ask = async (email: string) => (await new CodeBrowser(t).ask(email)).code
  for (let nth = 0; nth < 5; nth++) expect(await ask(anasAddress)).toBe(1000)
  await setLogin(t, id, '')
  await setLogin(t, id, anasAddress)
  for (let nth = 0; nth < 5; nth++) expect(await ask(anasAddress)).toBe(1000)
  expect(await ask(anasAddress)).toBe(4290)
  // The address in the profile.
  expect(await ask('Ana@summit.example')).toBe(1000)
  expect((await readCodes(t)).map(({ email }) => email)).toContain('ana@summit.example')

  const forgotten = await runSummitInProcess(['participant', 'forget', String(id), '--apply'], t.settings)
  expect(forgotten).toMatchObject({ code: 0, err: '' })

  expect(await readCodes(t)).toEqual([])
  await setLogin(t, t.ben.participant, anasAddress)
  expect(await ask(anasAddress)).toBe(4290)
  const counts = await readCounts(t)
  expect(counts.length).toBeGreaterThan(10)
  for (const { key_hmac } of counts) expect(key_hmac).toMatch(/^[\w-]{43}$/)
})

test('the browsers of an owner get 10 codes in all', async () => {
  await using t = await startAppWithMail()
  const browsers = [new CodeBrowser(t), new CodeBrowser(t)]
  for (const browser of browsers) expect((await browser.redeem(await askAs(t, browser))).code).toBe(1000)
  const asked = []
  for (let nth = 0; nth < 11; nth++) asked.push((await browsers[nth % 2]?.ask(anasAddress))?.code)
  expect(asked).toEqual([...Array(10).fill(1000), 4290])
})

test('when there are 10,000 codes, each address still gets one in five minutes, whether it is known or not', async () => {
  await using t = await startAppWithMail()
  await askAsOthers(t)
  const owner = new CodeBrowser(t)
  expect((await owner.redeem(await askAs(t, owner))).code).toBe(1000)
  const askBoth = () => Promise.all([anasAddress, 'nobody@login.example'].map((email) => new CodeBrowser(t).ask(email)))
  for (let minutes = 0; minutes < 15; minutes += 5) {
    const [known, unknown] = await askBoth()
    expect(known).toMatchObject({ code: 1000 })
    expect(unknown?.text).toBe(known?.text)
    t.advance(4 * minute)
    expect((await new CodeBrowser(t).ask(anasAddress)).headers.get('retry-after')).toBe('60')
    t.advance(minute - 1)
    const [again, unknownAgain] = await askBoth()
    expect(again).toMatchObject({ code: 4290, reason: 'TOO_MANY_ATTEMPTS' })
    expect(again?.headers.get('retry-after')).toBe('1')
    expect(unknownAgain).toMatchObject({ code: 4290, reason: 'TOO_MANY_ATTEMPTS' })
    expect((await owner.ask(anasAddress)).code).toBe(1000)
    t.advance(1)
  }
  await mailsOf(t, 7)
  const newcomer = new CodeBrowser(t)
  expect((await newcomer.redeem(await askAs(t, newcomer))).code).toBe(1000)
  expect((await newcomer.ask('nobody@login.example')).code).toBe(1000)
  expect((await new CodeBrowser(t).ask('nobody@login.example')).code).toBe(1000)
})

test('a clock that is set back keeps nobody from getting a code, and prolongs none', async () => {
  await using t = await startAppWithMail()
  const day = 24 * 60 * minute
  t.advance(day)
  const browser = new CodeBrowser(t)
  const code = await askAs(t, browser)
  for (let nth = 1; nth < 10; nth++) await new CodeBrowser(t).ask(anasAddress)
  await mailsOf(t, 10)
  expect((await new CodeBrowser(t).ask(anasAddress)).code).toBe(4290)
  t.advance(-day)
  expect((await browser.redeem(code)).reason).toBe('CODE_INVALID')
  expect((await browser.redeem(await askAs(t, browser))).code).toBe(1000)
  expect(await readCodes(t)).toHaveLength(1)
})

test('a client that sends its port counts as the same, and what is no address is not repeated', async () => {
  await using t = await startAppWithMail({ TRUSTED_PROXIES: '127.0.0.1' })
  const from = (address: string) => new CodeBrowser(t, { 'x-forwarded-for': address })
  for (let port = 1; port <= 5; port++) expect((await from(`203.0.113.7:${port}`).ask(anasAddress)).code).toBe(1000)
  expect((await from('203.0.113.7:6').ask(anasAddress)).code).toBe(4290)
  for (let nth = 1; nth <= 5; nth++)
    expect((await from(`visit https://evil.example/${nth}`).ask(anasAddress)).code).toBe(1000)
  t.advance(15 * minute)
  for (const text of ['unknown', '', '_hidden', 'visit https://evil.example', '[2001:db8:1:2::9]:80'])
    await from(`${text}, visit https://evil.example`).ask(anasAddress)
  expect((await from('anything').ask(anasAddress)).code).toBe(4290)
  expect((await from('[2001:db8:1:2::9]:4711').ask(anasAddress)).code).toBe(1000)
  const mails = await mailsOf(t, 16)
  expect(mails.filter(({ message }) => /evil|visit|unreadable/.test(message))).toEqual([])
  expect(mails[0]?.message).toContain('It was requested from the address 203.0.113.7.\r\n')
  expect(mails[15]?.message).toContain('It was requested from the address 2001:db8:1:2::/64.\r\n')
})

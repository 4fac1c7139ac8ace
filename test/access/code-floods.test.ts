import { expect, test } from 'vitest'
import { startRecordedServer } from '../../src/server/lifecycle/recorded-server.fixtures.ts'
import { createTestStorage, startOtherServer } from '../app.ts'
import { holdWrites } from '../databases.ts'
import { startMailServer } from '../mail-server.ts'
import { redeemAtSecondTry, stranger } from './code-floods.fixtures.ts'
import { anasAddress, CodeBrowser, mailSettings, mailsOf, startAppWithMail } from './codes.ts'
import { members, signInAna } from './login-emails.ts'

// Mail to somebody who has not asked for it, and guesses, are counted whatever happens to the codes.

test('of 30 requests at once, on two servers, 10 get a code for the address', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const browsers = Array.from({ length: 30 }, (_, nth) => new CodeBrowser(nth % 2 ? t : other))
  const codes = (await Promise.all(browsers.map((browser) => browser.ask(anasAddress)))).map(({ code }) => code)
  expect(codes.filter((code) => code === 1000)).toHaveLength(10)
  expect(codes.filter((code) => code === 4290)).toHaveLength(20)
  await mailsOf(t, 10)
})

test('a change of address that is refused does not wait for the writes of others', async () => {
  await using t = await startAppWithMail()
  const browser = await signInAna(t)
  const ask = () => browser.post('/api/me/login-email/codes', { email: stranger })
  for (let nth = 0; nth < 3; nth++) expect((await ask()).code).toBe(1000)
  const release = await holdWrites(t)
  const refused = await ask()
  await release()
  expect(refused.reason).toBe('TOO_MANY_ATTEMPTS')
})

test.each([
  [2_998, 1000],
  [2_999, 4031],
])('after %i wrong tries of others, the right code at the second try gets %i', async (attempts, outcome) => {
  await using t = await startAppWithMail()
  const other = new CodeBrowser(t)
  await other.ask('nobody@login.example')
  await other.redeem('00000000')
  await t.ctx.database.transaction((db) => db.updateTable('attempt_count').set({ attempts }).execute())
  expect(await redeemAtSecondTry(t, new CodeBrowser(t))).toBe(outcome)
})

test('a request through a proxy that is not trusted is logged once, without an address', async () => {
  await using storage = await createTestStorage()
  await using mail = await startMailServer()
  const settings = { ...storage.settings, ...members, ...mailSettings(mail), LOG_LEVEL: 'warn' }
  await using server = await startRecordedServer(settings)
  const warnings = () => server.lines().filter(({ msg }) => String(msg).includes('TRUSTED_PROXIES'))
  await new CodeBrowser(server).ask('nobody@login.example')
  expect(warnings()).toEqual([])
  for (let nth = 0; nth < 2; nth++)
    await new CodeBrowser(server, { 'x-forwarded-for': 'visit https://evil.example' }).ask('nobody@login.example')
  expect(warnings()).toHaveLength(1)
  expect(JSON.stringify(server.lines())).not.toMatch(/evil|127\.0\.0\.1/)
})

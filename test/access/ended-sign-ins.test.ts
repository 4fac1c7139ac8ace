import { expect, test } from 'vitest'
import { deleteEnded } from '../../src/server/lifecycle/schedules/delete-ended.ts'
import { askAs, CodeBrowser, readCodes, startAppWithMail } from './codes.ts'
import { signIn, startWithPasskey } from './passkeys.ts'

// The traces of a sign-in are deleted every day, also if nobody signs in again.

const minute = 60_000
const day = 24 * 60 * minute

test('a code is deleted once it has expired, and one that was redeemed 90 days after that', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
  await browser.redeem(await askAs(t, browser))
  const { id, ...redeemed } = (await readCodes(t))[0] as Awaited<ReturnType<typeof readCodes>>[number]
  const unredeemed = Array.from({ length: 250 }, () => ({ ...redeemed, redeemed_at: 0 }))
  await t.ctx.database.transaction((db) => db.insertInto('code').values(unredeemed).execute())
  t.advance(10 * minute - 1)
  await deleteEnded(t.ctx)
  expect(await readCodes(t)).toHaveLength(251)
  t.advance(1)
  await deleteEnded(t.ctx)
  expect((await readCodes(t)).map((code) => code.id)).toEqual([id])
  t.advance(90 * day - 10 * minute)
  await deleteEnded(t.ctx)
  expect(await readCodes(t)).toEqual([])
})

test('what an hour counts is deleted after it, and what a wrong clock has counted at once', async () => {
  await using t = await startAppWithMail()
  const readCounts = () => t.ctx.database.read.selectFrom('attempt_count').selectAll().execute()
  const wrong = { attempts: 1, ends_at: t.ctx.clock() + 365 * day }
  const counts = Array.from({ length: 250 }, (_, nth) => ({ ...wrong, key_hmac: String(nth) }))
  await t.ctx.database.transaction((db) => db.insertInto('attempt_count').values(counts).execute())
  const browser = new CodeBrowser(t)
  await browser.ask('nobody@login.example')
  await browser.redeem('00000000')
  await deleteEnded(t.ctx)
  expect(await readCounts()).toHaveLength(6)
  t.advance(60 * minute - 1)
  await deleteEnded(t.ctx)
  expect(await readCounts()).toHaveLength(3)
  t.advance(1)
  await deleteEnded(t.ctx)
  expect(await readCounts()).toEqual([])
})

test('a challenge that was used is deleted 10 minutes later', async () => {
  await using t = await startWithPasskey()
  await signIn(t.url, t.authenticator)
  const readChallenges = () => t.ctx.database.read.selectFrom('passkey_challenge').selectAll().execute()
  expect(await readChallenges()).not.toEqual([])
  t.advance(10 * minute)
  await deleteEnded(t.ctx)
  expect(await readChallenges()).toEqual([])
})

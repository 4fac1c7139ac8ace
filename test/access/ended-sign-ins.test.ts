import { expect, test } from 'vitest'
import { deleteEnded } from '../../src/server/lifecycle/delete-ended.ts'
import { askAs, CodeBrowser, readCodes, startAppWithMail } from './codes.ts'
import { signIn, startWithPasskey } from './passkeys.ts'

// The traces of a sign-in are deleted every day, also if nobody signs in again.

const minute = 60_000
const day = 24 * 60 * minute

test('a code is deleted an hour after it was sent, and one that was redeemed 90 days after that', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
  await browser.redeem(await askAs(t, browser))
  const { id, ...redeemed } = (await readCodes(t))[0] as Awaited<ReturnType<typeof readCodes>>[number]
  const unredeemed = Array.from({ length: 250 }, () => ({ ...redeemed, redeemed_at: 0 }))
  await t.ctx.database.transaction((db) => db.insertInto('code').values(unredeemed).execute())
  t.advance(60 * minute - 1)
  await deleteEnded(t.ctx)
  expect(await readCodes(t)).toHaveLength(251)
  t.advance(1)
  await deleteEnded(t.ctx)
  expect((await readCodes(t)).map((code) => code.id)).toEqual([id])
  t.advance(90 * day - 60 * minute)
  await deleteEnded(t.ctx)
  expect(await readCodes(t)).toEqual([])
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

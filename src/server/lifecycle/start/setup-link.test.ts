import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publicUrl, startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { inviteAsOrganizer, ownPage, signInWith } from '../../../../test/access/sessions.ts'
import { startOtherServer, startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { offerSetupLink } from './setup-link.ts'

const eva = 'eva@summit.example'
const minute = 60_000

const linkIn = (t: Pick<TestApp, 'dataDir'>) => readFile(join(t.dataDir, 'setup-link'), 'utf8').catch(() => undefined)

/** Offers a link in a file. @returns also the messages that may be logged */
async function offerInFile(t: Pick<TestApp, 'ctx'>, signInUrl = publicUrl) {
  const announced: string[] = []
  const { check } = await offerSetupLink(t.ctx, {
    signInUrl,
    show: undefined,
    announce: (file) => announced.push(file),
  })
  return { check, announced }
}

async function redeem(t: Pick<TestApp, 'url'>, link = '', email = eva): Promise<number> {
  const token = new URL(link).hash.trim().slice(1)
  const body = JSON.stringify({ token, email })
  return (await make.send(t, 'POST', '/api/sign-in/invitation', body, ownPage)).response_code
}

test('a summit without an owner has a link for one in a file of its own, which is gone once it was used', async () => {
  await using t = await startAppWithKeys('members')
  const { check, announced } = await offerInFile(t)
  const link = (await linkIn(t)) ?? ''
  expect(link).toMatch(new RegExp(`^${publicUrl}/setup#smt_[\\w-]{43}\\n$`))
  expect((await stat(join(t.dataDir, 'setup-link'))).mode & 0o777).toBe(0o600)
  expect(announced).toEqual([join(t.dataDir, 'setup-link')])
  expect([await redeem(t, link), await redeem(t, link)]).toEqual([1000, 4031])
  await check()
  expect(await linkIn(t)).toBe(undefined)
  await offerInFile(t)
  expect(await linkIn(t)).toBe(undefined)
})

test('on a terminal the link is shown there, and not written', async () => {
  await using t = await startAppWithKeys('members')
  const shown: string[] = []
  await offerSetupLink(t.ctx, { signInUrl: publicUrl, show: (link) => shown.push(link), announce: () => {} })
  expect(await linkIn(t)).toBe(undefined)
  expect(await redeem(t, make.only(shown))).toBe(1000)
})

test('the link is replaced after 30 minutes, and ends as soon as an owner who was invited signs in', async () => {
  await using t = await startAppWithKeys('members')
  const { check } = await offerInFile(t)
  const first = await linkIn(t)
  t.advance(30 * minute - 1)
  await check()
  expect(await linkIn(t)).toBe(first)
  t.advance(1)
  expect(await redeem(t, first)).toBe(4031)
  await check()
  const second = await linkIn(t)
  expect(second).not.toBe(first)
  const invited = await inviteAsOrganizer(t, 'ben@summit.example', ['owner'])
  await check()
  expect(await linkIn(t)).toBe(second)
  await signInWith(t.url, invited)
  expect(await redeem(t, second)).toBe(4031)
  await check()
  expect(await linkIn(t)).toBe(undefined)
})

test('of two servers, the one that started last has the valid link, and of two uses at once one succeeds', async () => {
  await using t = await startAppWithKeys('members')
  await using other = await startOtherServer(t, { dataDir: `${t.dataDir}/blobs` })
  const { check } = await offerInFile(t)
  const first = await linkIn(t)
  await offerInFile(other)
  const second = await linkIn({ dataDir: other.ctx.config.dataDir })
  await check()
  expect(await linkIn(t)).toBe(undefined)
  expect(await redeem(t, first)).toBe(4031)
  const codes = await Promise.all([redeem(t, second), redeem(other, second, 'ben@summit.example')])
  expect(codes.sort()).toEqual([1000, 4031])
})

describe('where ACCESS is open', () => {
  const base = 'http://localhost:3000'

  test('there is one link for each start, to this machine, and none once it has expired', async () => {
    await using t = await startTestApp()
    const { check } = await offerInFile(t, base)
    const link = await linkIn(t)
    expect(link).toMatch(new RegExp(`^${base}/setup#smt_[\\w-]{43}\\n$`))
    t.advance(30 * minute - 1)
    await check()
    expect(await linkIn(t)).toBe(link)
    t.advance(1)
    await check()
    expect(await linkIn(t)).toBe(undefined)
    expect(await redeem(t, link)).toBe(4031)
    await check()
    expect(await linkIn(t)).toBe(undefined)

    // The next start.
    await offerInFile(t, base)
    const next = await linkIn(t)
    expect([await redeem(t, next), await redeem(t, next)]).toEqual([1000, 4031])
    await offerInFile(t, base)
    expect(await linkIn(t)).toBe(undefined)
  })

  test('a summit starts although its database cannot be written', async () => {
    await using t = await startTestApp()
    const database = {
      ...t.ctx.database,
      read: t.ctx.database.read,
      transaction: () => Promise.reject(new Error('full')),
    }
    await offerInFile({ ctx: { ...t.ctx, database } })
    expect(await linkIn(t)).toBe(undefined)
  })
})

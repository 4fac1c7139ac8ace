import { appendFile, mkdir, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { revokeCredential } from '../../auth/credentials.ts'
import { createKey } from '../../auth/keys.ts'
import { noParticipant } from '../../core/ids.ts'
import { commandScope } from '../../scope.ts'
import { isKnownEntry } from './entries.ts'
import { ledgerFileIn, readLedgerFile } from './ledger-file.ts'

const newKeys = (t: TestApp, count: number) =>
  t.ctx.database.transaction(async (tx) => {
    const ids: number[] = []
    const key = { label: 'test', participant: noParticipant, roles: ['reader'] as const, expiresAt: 0 }
    for (let nth = 0; nth < count; nth++) ids.push((await createKey(commandScope(t.ctx, tx, 'test'), key)).id)
    return ids
  })

const revoke = (t: TestApp, id: number, work: () => void = () => {}) =>
  t.ctx.database.transaction(async (tx) => {
    await revokeCredential(commandScope(t.ctx, tx, 'test'), id)
    work()
  })

const recordsIn = async (t: TestApp) =>
  (await readLedgerFile(t.dataDir))?.filter(isKnownEntry).map(({ record }) => record)

test('every revocation is in the ledger once it is acknowledged, and none that was rolled back', async () => {
  await using t = await startTestApp()
  const ids = await newKeys(t, 20)
  const fail = () => {
    throw new Error('rolled back')
  }
  await Promise.all(
    ids.map(async (id) => {
      if (id % 5 === 0) return expect(revoke(t, id, fail)).rejects.toThrow('rolled back')
      await revoke(t, id)
      expect(await recordsIn(t)).toContain(id)
    }),
  )
  expect((await recordsIn(t))?.sort((a, b) => a - b)).toEqual(ids.filter((id) => id % 5 !== 0))
})

test('a line that a power failure has cut does not damage the next one', async () => {
  await using t = await startTestApp()
  const [first = 0, second = 0] = await newKeys(t, 2)
  await revoke(t, first)
  await appendFile(ledgerFileIn(t.dataDir), '{"id":3,"at":18')
  await revoke(t, second)
  expect(await recordsIn(t)).toEqual([first, second])
})

test('the end of a session is not in the ledger, as a restore ends all of them', async () => {
  await using t = await startTestApp()
  const [session = 0, key = 0] = await newKeys(t, 2)
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('credential').set({ kind: 'session' }).where('id', '=', session).execute(),
  )
  await revoke(t, session)
  await revoke(t, key)
  expect(await recordsIn(t)).toEqual([key])
})

test('while the ledger cannot be written, other writes succeed and keep their files', async () => {
  await using t = await startTestApp()
  const [first = 0, second = 0] = await newKeys(t, 2)
  await rm(ledgerFileIn(t.dataDir), { force: true })
  await mkdir(ledgerFileIn(t.dataDir))
  await expect(revoke(t, first)).rejects.toMatchObject({ reason: 'OUTCOME_UNKNOWN' })
  const { NewsFeed } = await t.client.createTopic({
    ...{ name: 'Lunch', created_by: 1 },
    uploaded_files: [{ name: 'notes.txt', data: 'R3LD' }],
  })
  const link = make.only(make.only(NewsFeed).content.uploaded_files).link
  expect(Buffer.from(await (await fetch(link)).arrayBuffer()).toString('base64')).toBe('R3LD')
  await rm(ledgerFileIn(t.dataDir), { recursive: true })
  await revoke(t, second)
  expect(await recordsIn(t)).toEqual([first, second])
})

import { appendFile, copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { noParticipant } from '../server/core/ids.ts'
import { readLedgerFile } from '../server/log/ledger/ledger-file.ts'
import { createWorldWithLedger } from './restore-ledger.fixtures.ts'

// The ledger of a restore: missing, of another summit, or of a newer version.

test('a summit does not add its ledger to the backups of another', async () => {
  await using one = await createWorldWithLedger()
  await make.participant(one)
  expect(await one.run('backup')).toMatchObject({ code: 0, err: '' })
  await using other = await createWorldWithLedger(one.restored.BACKUP_TO)
  const quirina = await make.participant(other, { first_name: 'Quirina' })
  const ledgers = () => readdir(join(one.restored.BACKUP_TO, 'backups', 'ledger'))
  const before = await ledgers()
  await other.run('participant', 'forget', String(quirina), '--apply')
  for (const args of [['backup'], ['backup', '--ledger']])
    expect(await other.run(...args)).toMatchObject({
      code: 1,
      err: 'This location has the backups of another summit. Choose another location.\n',
    })
  expect(await ledgers()).toEqual(before)
})

test('a restore without the ledger is refused unless --without-ledger is given', async () => {
  await using w = await createWorldWithLedger()
  const quirina = await make.participant(w, { first_name: 'Quirina' })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await w.run('participant', 'forget', String(quirina), '--apply')
  await rm(join(w.restored.BACKUP_TO, 'backups', 'ledger'), { recursive: true })
  for (const args of [[], ['--apply']])
    expect(await w.restore(...args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The ledger .* is missing\. /),
    })
  expect(await w.restore('--without-ledger', '--apply')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Erasures and revocations made after the backup will be missing.'),
  })
  expect((await runSummitInProcess(['export', 'participants'], w.restored)).out).toContain('Quirina')
})

test('the ledger of another summit, in DATA_DIR or in the named file, erases nobody', async () => {
  await using w = await createWorldWithLedger()
  await make.participant(w, { first_name: 'Quirina' })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await using other = await createWorldWithLedger()
  const sameId = await make.participant(other, { first_name: 'Benedikt' })
  expect(await other.run('participant', 'forget', String(sameId), '--apply')).toMatchObject({ code: 0, err: '' })
  const ledger = join(other.storage.dataDir, 'ledger')
  expect(await w.restore('--ledger', ledger, '--apply')).toMatchObject({
    code: 1,
    err: `${ledger} is the ledger of another summit. Nothing was restored.\n`,
  })
  const present = join(w.restored.DATA_DIR, 'ledger')
  await mkdir(w.restored.DATA_DIR, { recursive: true })
  await copyFile(ledger, present)
  expect(await w.restore('--apply')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`The ledger in ${present} has 2 lines of another summit, which are not repeated.\n`),
  })
  expect((await runSummitInProcess(['export', 'participants'], w.restored)).out).toContain('Quirina')
  // Nor does it get into the backups of this one.
  expect(await runSummitInProcess(['backup', '--ledger'], w.restored)).toMatchObject({ code: 0, err: '' })
  expect(await readdir(join(w.restored.BACKUP_TO, 'backups', 'ledger'))).toEqual([expect.stringMatching(/^00000000-/)])
})

test('entries of a newer version are copied as they are, and a restore says that they are not repeated', async () => {
  await using w = await createWorldWithLedger()
  await make.participant(w, { first_name: 'Quirina' })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  const ledger = join(w.storage.dataDir, 'ledger')
  const revokeAnother = async () => {
    const { id } = await w.issueKey('bearer', noParticipant, ['owner'])
    expect(await w.run('key', 'revoke', String(id))).toMatchObject({ code: 0, err: '' })
    expect(await w.run('backup', '--ledger')).toMatchObject({ code: 0, err: '' })
  }
  await revokeAnother()
  const { summit } = (await readLedgerFile(w.storage.dataDir))?.[0] ?? {}
  const line = JSON.stringify({ summit, later: [1], kind: 'badge.revoked', record: 1 })
  await appendFile(ledger, `${line}\n`)
  await revokeAnother()
  await rm(ledger)
  await revokeAnother()
  expect(await w.restore('--apply')).toMatchObject({
    code: 0,
    out: expect.stringContaining('The ledger has 1 line of a newer version of Summit, which this one cannot repeat.'),
  })
  const lines = (await readFile(join(w.restored.DATA_DIR, 'ledger'), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(4)
  expect(lines).toContain(line)
})

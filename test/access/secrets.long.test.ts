import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportedListNames } from '../../src/server/domains/export/list-names.ts'
import { createTestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import { expectAbsent, readFolder, start } from './secrets.ts'
import { sendInvitation } from './sessions.ts'

test('no export has a secret, and no backup, even one that is not encrypted', async () => {
  await using storage = await createTestStorage()
  await using server = await start(storage, 'members')
  await make.participant(server.serving)
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const settings = { ...storage.settings, ACCESS: 'members', PUBLIC_URL: publicUrl, BACKUP_TO: folder.path }
  const run = async (...args: string[]) => {
    const { code, out, err } = await runSummitInProcess(args, settings)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return out
  }
  const outputs = [
    await run('key', 'create', 'phone', '--participant', '1'),
    await run('key', 'create', 'phones', '--app'),
    await run('participant', 'link', '1'),
    await run('participant', 'invite', '1'),
    await run('organizer', 'invite', 'eva@summit.example', '--role', 'owner'),
  ]
  const secrets = outputs.map((out) => /smt_[\w-]{43}/.exec(out)?.[0] ?? '')
  const signedIn = await sendInvitation(server.url, secrets[4] ?? '')
  secrets.push(/smt_[\w-]{43}/.exec(signedIn.headers.get('set-cookie') ?? '')?.[0] ?? '')
  expect(new Set(secrets).size).toBe(6)
  expect(secrets).not.toContain('')

  const exports: string[] = []
  for (const list of exportedListNames) exports.push(await run('export', list))
  await run('backup')
  const backup = await readFolder(folder.path)
  expect(backup.join()).toContain('eva@summit.example')
  expectAbsent(secrets, { exports, backup })
})

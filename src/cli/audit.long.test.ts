import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'

const AUDIT_KEY = 'a1'.repeat(32)

test('changes removed at the end are found by the head in a backup, which a restored backup satisfies', async () => {
  await using t = await startTestApp({ AUDIT_KEY })
  await make.participant(t)
  for (const name of ['Two', 'Three', 'Four', 'Five']) await make.topic(t, { name })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const BACKUP_TO = join(folder.path, 'backups')
  const settings = { AUDIT_KEY, BACKUP_TO }
  const run = (...args: string[]) => runSummitInProcess(args, { ...t.settings, ...settings })
  expect(await run('backup')).toMatchObject({ code: 0, err: '' })
  const verified = await run('backup', 'verify')
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('The chain of 5 changes is intact.\n') })
  await make.topic(t, { name: 'Later' })
  expect(await run('backup')).toMatchObject({ code: 0, err: '' })

  const older = /(\d{8}t\d{6}z-[0-9a-f]{8})/.exec(verified.out)?.[1] ?? ''
  const restored = { DATA_DIR: join(folder.path, 'restored'), ...settings }
  expect(await runSummitInProcess(['restore', '--id', older, '--apply'], restored)).toMatchObject({ code: 0, err: '' })
  expect(await runSummitInProcess(['audit', 'verify'], restored)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Compared with 2 recorded heads'),
  })

  await t.ctx.database.transaction((db) => db.deleteFrom('change').where('id', '>', 4).execute())
  expect((await run('audit', 'verify')).out).toMatch(/Change 5 is missing, which the backup .* recorded/)
})

import { expect, test } from 'vitest'
import { createTestStorage } from '../../../../test/app.ts'
import { startServer } from '../../../../test/faults/server-process.ts'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'

test('a start promises automatic backups only where they can be stored', async () => {
  await using storage = await createTestStorage()
  await using folder = await createTemporaryFolder()
  const welcome = async (BACKUP_TO: string) => {
    await using server = await startServer(storage.dataDir, { ...storage.settings, BACKUP_TO })
    return server.stdout()
  }
  const refused = await welcome('/proc/summit')
  expect(refused).toContain('  WARNING: Backups cannot be stored in /proc/summit: the folder does not exist, ')
  expect(refused).not.toContain('made automatically')
  expect(await welcome(folder.path)).toContain(`  backups made automatically in ${folder.path}\n`)
})

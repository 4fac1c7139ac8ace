import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publicUrl } from '../../test/access/app-with-keys.ts'
import { createTestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { createClient } from '../client/client.ts'
import { createKey } from '../server/auth/keys.ts'
import type { ParticipantId } from '../server/core/ids.ts'
import { startRecordedServer } from '../server/lifecycle/recorded-server.fixtures.ts'
import { commandScope } from '../server/scope.ts'

const BACKUP_KEY = 'ab'.repeat(32)
const members = { ACCESS: 'members', PUBLIC_URL: publicUrl }

/** A summit of members, on the clock of the commands, with a folder for backups. */
export async function createWorldWithLedger(backupTo?: string) {
  const stack = new AsyncDisposableStack()
  const storage = stack.use(await createTestStorage())
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'summit-test-')))
  const settings = { ...storage.settings, ...members, BACKUP_KEY, BACKUP_TO: backupTo ?? join(folder.path, 'backups') }
  const server = stack.use(await startRecordedServer({ ...settings, BACKUP_EVERY: 'never', LOG_LEVEL: 'error' }))
  const { ctx } = server.serving
  const issueKey = async (kind: string, participant: number, roles: 'owner'[] = []) => {
    const key = { label: kind, participant: participant as ParticipantId, roles, expiresAt: 0 }
    const { id, secret } = await ctx.database.transaction(async (tx) => {
      const created = await createKey(commandScope(ctx, tx, 'test'), key)
      await tx.updateTable('credential').set({ kind }).where('id', '=', created.id).execute()
      return created
    })
    return { id, secret, client: createClient(server.url, { headers: { authorization: `Bearer ${secret}` } }) }
  }
  const run = (...args: string[]) => runSummitInProcess(args, settings)
  const restored = { ...settings, DATA_DIR: join(folder.path, 'restored'), DATABASE_URL: '' }
  const restore = (...args: string[]) => runSummitInProcess(['restore', ...args], restored)
  return { storage, ctx, issueKey, run, restored, restore, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

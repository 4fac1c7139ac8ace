import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createTestStorage, startTestAppOn, type TestApp, type TestStorage } from '../../app.ts'
import { type CommandResult, runSummitInProcess } from '../../command.ts'
import { filesBelowIfAny } from '../../files-below.ts'
import * as make from '../../make.ts'
import { createTemporaryFolder } from '../../temporary-folder.ts'

/** A served summit with records and files, and a folder for its backups. */
export interface SummitWithBackups extends AsyncDisposable {
  t: TestApp
  /** The folder of the backups, which does not exist yet. */
  to: string
  /** Environment variables of commands on the summit. */
  settings: Record<string, string>
  /** `summit backup` with the folder as its last argument. */
  backup(...args: string[]): Promise<CommandResult>
}

export const encrypted = { BACKUP_KEY: 'ab'.repeat(32) }

export const textFile = (text: string) => ({ name: 'notes.txt', data: Buffer.from(text).toString('base64') })

/** @param settings environment variables of the commands, in addition */
export async function startSummitWithBackups(settings: Record<string, string> = {}): Promise<SummitWithBackups> {
  await using opened = new AsyncDisposableStack()
  const storage = opened.use(await createTestStorage())
  const folder = opened.use(await createTemporaryFolder())
  const t = opened.use(await startTestAppOn(storage))
  await make.participant(t)
  await make.event(t)
  for (const text of ['first', 'second', 'third']) await make.topic(t, { name: text, uploaded_files: [textFile(text)] })
  const to = join(folder.path, 'backups')
  const own = { ...storage.settings, ...settings }
  const stack = opened.move()
  return {
    t,
    to,
    settings: own,
    backup: (...args) => runSummitInProcess(['backup', ...args, to], own),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** A copy of the backups that a test may alter, and an empty folder to restore it to. */
export async function copyBackups({ to: from, settings }: Pick<SummitWithBackups, 'to' | 'settings'>) {
  const folder = await createTemporaryFolder()
  const [to, dataDir] = [join(folder.path, 'backups'), join(folder.path, 'restored')]
  await cp(from, to, { recursive: true })
  const { BACKUP_KEY } = settings
  const own = { DATA_DIR: dataDir, ...(BACKUP_KEY !== undefined && { BACKUP_KEY }) }
  return {
    to,
    settings: own,
    restored: { dataDir, settings: own, [Symbol.asyncDispose]: async () => {} },
    restore: (...args: string[]) => runSummitInProcess(['restore', to, ...args], own),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** The objects in a folder of backups, by their paths. */
export const objectsIn = async (to: string): Promise<string[]> => (await filesBelowIfAny(join(to, 'backups'))).sort()

/** Whether a place to which a restore was killed is served; its summit must be complete then. */
export async function isServed(storage: TestStorage, context: string): Promise<boolean> {
  let t: TestApp
  try {
    t = await startTestAppOn(storage)
  } catch (error) {
    expect(String(error), context).toContain('restore to this summit has not finished')
    return false
  }
  await using _ = t
  expect((await t.client.listTopics({ offset: 0, limit: 10 })).NewsFeed, context).toHaveLength(3)
  return true
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataFolder } from './data-folder.ts'

/** A data folder that is removed when the test ends (`await using`). */
export async function createDataFolder(): Promise<DataFolder & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), 'summit-faults-'))
  return Object.assign(new DataFolder(dir), {
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  })
}

import { open, readFile } from 'node:fs/promises'
import { createTestStorage, startTestAppOn, type TestApp, type TestStorage } from '../../../../../test/app.ts'
import * as make from '../../../../../test/make.ts'

const pageSize = 4_096

/** A summit with a topic, whose server has stopped, so that everything is in the database file. */
export async function createStorageWithTopic(): Promise<TestStorage> {
  const storage = await createTestStorage()
  await using t = await startTestAppOn(storage)
  await make.topic(t, { name: 'Before' })
  return storage
}

/**
 * Overwrites every page but the first, which a server that has just started has read.
 * @returns a function that restores them
 */
export async function overwritePages(file: string): Promise<() => Promise<void>> {
  const intact = await readFile(file)
  const write = async (bytes: Buffer) => {
    await using handle = await open(file, 'r+')
    await handle.write(bytes, pageSize, bytes.length - pageSize, pageSize)
  }
  await write(Buffer.alloc(intact.length, 0xa5))
  return () => write(intact)
}

/** The `response_code` of a list of topics. */
export const listTopics = (t: Pick<TestApp, 'client'>): Promise<number> =>
  make.codeOf(t.client.call('listTopics', { offset: 0, limit: 1 }))

import { afterAll, beforeAll } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'

/**
 * One server for all tests of a file or `describe`, if each depends only on its own records.
 * @param begin creates shared records
 */
export function setUpSharedApp(
  settings: Record<string, string> = {},
  begin: (t: TestApp) => Promise<unknown> = async () => {},
): () => TestApp {
  let shared: TestApp | undefined
  beforeAll(async () => {
    shared = await startTestApp(settings)
    await begin(shared)
  })
  afterAll(() => shared?.[Symbol.asyncDispose]())
  return () => {
    if (!shared) throw new Error('the server has not started')
    return shared
  }
}

import { afterAll, beforeAll } from 'vitest'
import { type TestApp, testApp } from './app.ts'

/**
 * One server for all tests of a file or `describe`, if each depends only on its own records.
 * @param begin creates shared records
 */
export function sharedApp(
  settings: Record<string, string> = {},
  begin: (t: TestApp) => Promise<unknown> = async () => {},
): () => TestApp {
  let shared: TestApp | undefined
  beforeAll(async () => {
    shared = await testApp(settings)
    await begin(shared)
  })
  afterAll(() => shared?.[Symbol.asyncDispose]())
  return () => {
    if (!shared) throw new Error('the server has not started')
    return shared
  }
}

import { afterAll, beforeAll } from 'vitest'
import { type TestApp, testApp } from './app.ts'

/**
 * One server for all tests of a `describe`, or of a file: for those that see only what they themselves have made.
 * @param begin makes what they all find there
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

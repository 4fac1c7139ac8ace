import { afterAll, afterEach, beforeAll, expect } from 'vitest'

/** Makes the tests of a file fail if an error would have ended a process with no other handler. */
export function expectNoCrashes(): void {
  const crashes: unknown[] = []
  const record = (error: unknown) => void crashes.push(error)
  const events = ['uncaughtException', 'unhandledRejection']
  beforeAll(() => {
    for (const event of events) process.on(event, record)
  })
  afterAll(() => {
    for (const event of events) process.off(event, record)
  })
  afterEach(() => expect(crashes.splice(0)).toEqual([]))
}

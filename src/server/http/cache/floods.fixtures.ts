import { expect, vi } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { send } from '../../../../test/contract/requests.ts'

/** Counts the responses that are built, not taken from the cache. @param host of the request */
export function countBuilds(t: TestApp) {
  const { database } = t.ctx
  const builds = vi.spyOn(database, database.readCommitted ? 'readCommitted' : 'snapshot')
  return async (path: string, host = 'summit.example'): Promise<number> => {
    builds.mockClear()
    const { bytes } = await send(t, { method: 'GET', path, headers: { host } })
    expect(bytes.toString(), path).toContain('"response_code":1000')
    return builds.mock.calls.length
  }
}

export const topics = (offset: number, limit: number) => `/api/newsfeeds/topics/${offset}/${limit}`

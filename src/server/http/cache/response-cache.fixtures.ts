import type { TestApp } from '../../../../test/app.ts'
import { Freshness } from '../../log/changes/freshness.ts'
import type { Db } from '../../storage/db/tables.ts'
import { ResponseBudget } from '../budgets/response-budget.ts'
import type { CachedResponse } from './cached-response.ts'
import { ResponseCache, type ResponseKey } from './response-cache.ts'

export const key: ResponseKey = {
  name: 'getComment',
  input: {},
  path: '/',
  audience: 'public',
  baseUrl: '',
  mediaKey: '',
}

/** Creates a cache, and returns a function that requests a response that depends on all topics. */
export function createCache({ ctx }: TestApp, maxBytes: number, read: (db: Db) => Promise<object>) {
  const freshness = new Freshness(ctx.database)
  const budget = new ResponseBudget(() => undefined)
  const cache = new ResponseCache({
    ...ctx,
    freshness,
    maxBytes,
    budget,
    read: (_key, db) => read(db),
    dependenciesOf: () => ['topics'],
  })
  return async (): Promise<CachedResponse> => {
    const position = await freshness.refresh()
    return cache.find(key) ?? cache.build(key, position)
  }
}

import { test } from 'vitest'
import { startOtherServer } from '../app.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { expectNoLeaks, type SummitWithKeys } from './audiences.ts'

/** A server with a cache, and one without, in this process. */
async function startSummit(): Promise<SummitWithKeys> {
  await using stack = new AsyncDisposableStack()
  const t = stack.use(await startAppWithKeys('public'))
  const { url } = stack.use(await startOtherServer(t, { pageCacheBytes: 0 }))
  const disposal = stack.move()
  return { t, cached: t.url, uncached: url, [Symbol.asyncDispose]: () => disposal.disposeAsync() }
}

test(
  'where ACCESS is public, everyone reads from a cache what they would without it, after a random history',
  { timeout: 300_000 },
  () =>
    expectNoLeaks(startSummit, {
      ...{ batches: { minLength: 2, maxLength: 2 }, numRuns: 1 },
      ...{ roles: ['owner'], ofEachRead: 1 },
    }),
)

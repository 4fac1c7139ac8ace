import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { logHeads } from './log-heads.ts'

test('the head of the change log is logged at a start and a minute after it has changed', async () => {
  await using t = await startTestApp({ AUDIT_KEY: 'a1'.repeat(32) })
  await make.participant(t)
  const logged: unknown[] = []
  const log = { info: (fields: object, text: string) => logged.push({ ...fields, text }) }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stop = await logHeads(t.ctx, log as never)
  vi.advanceTimersByTime(60_000)
  await make.topic(t)
  vi.advanceTimersByTime(60_000)
  await stop()
  const changes = await t.ctx.database.read.selectFrom('change').select(['id', 'hash']).orderBy('id').execute()
  expect(changes).toHaveLength(2)
  expect(logged).toEqual(changes.map(({ id, hash }) => ({ change: id, hash, text: 'head of the change log' })))
})

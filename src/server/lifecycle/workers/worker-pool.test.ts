import pino from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { WorkerPool } from './worker-pool.ts'

test('a worker process that cannot be spawned is reported in one line with the reason', async () => {
  const { execPath } = process
  process.execPath = '/nowhere/node'
  try {
    const log = pino({ enabled: false })
    const starting = WorkerPool.start({
      workers: 3,
      port: 0,
      lingerMs: 0,
      log,
      registry: new Registry(),
      onSyncError: () => {},
    })
    await expect(starting).rejects.toThrow('A worker could not start: spawn /nowhere/node ENOENT.')
  } finally {
    process.execPath = execPath
  }
})

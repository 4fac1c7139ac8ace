import { expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import * as make from '../../../../../test/make.ts'
import { startAppOnServer } from '../../../../../test/postgres/app.ts'
import { PostgresServer } from '../../../../../test/postgres/server.ts'
import { startTcpProxy } from '../../../../../test/tcp-proxy.ts'
import { waitUntil } from '../../../../../test/wait-until.ts'
import { ResponseBudget } from '../../../http/budgets/response-budget.ts'
import type { ResponseKey } from '../../../http/cache/response-cache.ts'
import { ResponseCache } from '../../../http/cache/response-cache.ts'
import { Freshness } from '../../../log/changes/freshness.ts'
import { openDatabase } from '../open.ts'

/** A summit on a server that has a standby. It connects to one address, which leads to the primary at first. */
async function summit() {
  await using stack = new AsyncDisposableStack()
  const primary = stack.use(await PostgresServer.start())
  const standby = stack.use(await primary.standby())
  const address = stack.use(await startTcpProxy(primary.port))
  const t = stack.use(await startAppOnServer(primary, address.port))
  const hasCaughtUp = async () => {
    const [{ at } = {}] = await primary.query('select pg_current_wal_lsn()::text as at')
    return (await standby.query(`select pg_last_wal_replay_lsn() >= '${at}' as caught_up`))[0]?.caught_up === true
  }
  const disposal = stack.move()
  return {
    ...{ primary, standby, address, t },
    caughtUp: () => waitUntil('the standby has caught up', hasCaughtUp),
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

const comment = { topic_id: 1, comment: 'Hear, hear', created_by: 1 }
const write = (t: TestApp) => make.codeOf(t.client.call('createComment', comment))
const comments = async (t: TestApp) => make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed).comments.length

/** Writes nine of ten comments while the standby is down. @returns a function that fails over to it */
async function makeStandbyLag({ primary, standby, address, t, caughtUp }: Awaited<ReturnType<typeof summit>>) {
  await make.topic(t)
  await write(t)
  await caughtUp()
  await standby.down()
  for (let n = 2; n <= 10; n++) await write(t)
  return async () => {
    await primary.down('SIGKILL')
    await standby.up()
    await standby.promote()
    address.redirectTo(standby.port)
    address.cut()
  }
}

/** Points the address at the standby. @returns the pending codes of a write and a read, which have connected to it */
async function requestFromStandby({ standby, address, t, caughtUp }: Awaited<ReturnType<typeof summit>>) {
  await make.topic(t)
  await caughtUp()
  address.redirectTo(standby.port)
  address.cut()
  const codes = [write(t), make.codeOf(t.client.call('getTopic', { topic_id: 1 }))]
  await waitUntil('both have connected to the standby', () => address.connections() >= codes.length)
  return codes
}

test('after a failover to a lagging standby, responses show its data, and the writes to it', async () => {
  await using all = await summit()
  const { t } = all
  const failOver = await makeStandbyLag(all)
  expect(await comments(t)).toBe(10)
  await failOver()
  expect(await comments(t)).toBe(1)
  for (let n = 2; n <= 15; n++) expect([await write(t), await comments(t)]).toEqual([1000, n])
})

test('a response that was read before a failover and rendered after it is read again', async () => {
  await using all = await summit()
  const failOver = await makeStandbyLag(all)
  const seen: unknown[] = []
  const freshness = new Freshness(all.t.ctx.database)
  const cache = new ResponseCache({
    ...all.t.ctx,
    freshness,
    maxBytes: 1_000_000,
    budget: new ResponseBudget(() => undefined),
    read: async (_key, db) => {
      seen.push(
        await db
          .selectFrom('comment')
          .select(({ fn }) => fn.countAll().as('all'))
          .executeTakeFirst(),
      )
      if (seen.length === 1) await failOver()
      return {}
    },
    dependenciesOf: () => ['topics'],
  })
  const get = async () => {
    const viewer = { audience: 'public', baseUrl: '', mediaKey: '' } as const
    const key: ResponseKey = { name: 'getTopic', input: { topic_id: 1 }, path: '/', ...viewer }
    const position = await freshness.refresh()
    return cache.find(key) ?? cache.build(key, position)
  }
  await get()
  await get()
  expect(seen).toEqual([{ all: 10 }, { all: 1 }])
})

test('a server that was replaced and still responds is no longer queried', async () => {
  await using all = await summit()
  const { primary, standby, address, t } = all
  await make.topic(t)
  expect(await comments(t)).toBe(0)
  // As when a server is replaced without being stopped: it becomes read-only.
  await primary.query('alter system set default_transaction_read_only = on')
  await primary.query('select pg_reload_conf()')
  await all.caughtUp()
  await standby.promote()
  address.redirectTo(standby.port)
  expect(await write(t)).toBe(5071)
  for (let n = 1; n <= 5; n++) expect([await write(t), await comments(t)]).toEqual([1000, n])
})

test('after a restored backup has taken the name of the database, responses show the backup', async () => {
  await using server = await PostgresServer.start()
  await using t = await startAppOnServer(server)
  const cut = () =>
    server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${t.database}'`)
  await make.topic(t)
  await cut()
  await server.query(`create database backup template ${t.database}`)
  for (let n = 1; n <= 5; n++) await write(t)
  expect(await comments(t)).toBe(5)
  await cut()
  await server.query(`alter database ${t.database} rename to gone`)
  await server.query(`alter database backup rename to ${t.database}`)
  expect(await comments(t)).toBe(0)
  expect([await write(t), await comments(t)]).toEqual([1000, 1])
})

test('requests wait while the address briefly leads to a standby', async () => {
  await using all = await summit()
  const { primary, address } = all
  const codes = await requestFromStandby(all)
  address.redirectTo(primary.port)
  expect(await Promise.all(codes)).toEqual([1000, 1000])
})

test('a standby is treated as unreachable: nothing is read from it, and no connection to it stays open', async () => {
  await using all = await summit()
  const { primary, address, t } = all
  const codes = await requestFromStandby(all)
  expect(await Promise.all(codes)).toEqual([5030, 5030])
  address.redirectTo(primary.port)
  expect([await write(t), await comments(t)]).toEqual([1000, 1])
})

test('opening a database on a standby fails with one line', async () => {
  await using all = await summit()
  const { standby, t } = all
  await all.caughtUp()
  const url = standby.url(t.database)
  await expect(openDatabase({ kind: 'server', url }, () => {})).rejects.toThrow(/^The server is a standby, .*\.$/)
})

test('a read-only database rejects writes, serves reads, and accepts writes as soon as it is reset', async () => {
  await using server = await PostgresServer.start()
  await using t = await startAppOnServer(server)
  await make.topic(t)
  const readOnly = (to: 'on' | 'off') =>
    server.query(`alter database ${t.database} set default_transaction_read_only = ${to}`)
  await readOnly('on')
  // The setting applies to new sessions only.
  await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${t.database}'`)
  expect([await write(t), await comments(t)]).toEqual([5071, 0])
  await readOnly('off')
  expect([await write(t), await comments(t)]).toEqual([1000, 1])
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { until } from '../../../../test/faults/until.ts'
import * as make from '../../../../test/make.ts'
import { appOn } from '../../../../test/postgres/app.ts'
import { PostgresServer } from '../../../../test/postgres/server.ts'
import { tcpProxy } from '../../../../test/tcp-proxy.ts'
import { Freshness } from '../../cache/freshness.ts'
import { ResponseCache } from '../../cache/response-cache.ts'
import { ResponseBudget } from '../../core/response-budget.ts'
import { openDatabase } from '../open.ts'

/** A summit on a server that has a standby. It knows both by one address, which leads to the first. */
async function summit() {
  await using made = new AsyncDisposableStack()
  const primary = made.use(await PostgresServer.start())
  const standby = made.use(await primary.standby())
  const address = made.use(await tcpProxy(primary.port))
  const t = made.use(await appOn(primary, address.port))
  const hasFollowed = async () => {
    const [{ at } = {}] = await primary.query('select pg_current_wal_lsn()::text as at')
    return (await standby.query(`select pg_last_wal_replay_lsn() >= '${at}' as it`))[0]?.it === true
  }
  const disposal = made.move()
  return {
    ...{ primary, standby, address, t },
    followed: () => until('the standby has followed', hasFollowed, 10_000),
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

const comment = { topic_id: 1, comment: 'Hear, hear', created_by: 1 }
const write = (t: TestApp) => make.codeOf(t.client.call('createComment', comment))
const comments = async (t: TestApp) => make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed).comments.length

/** Nine of ten comments are written while the standby is down. @returns what puts it in the place of the other */
async function letLag({ primary, standby, address, t, followed }: Awaited<ReturnType<typeof summit>>) {
  await make.topic(t)
  await write(t)
  await followed()
  await standby.down()
  for (let nth = 2; nth <= 10; nth++) await write(t)
  return async () => {
    await primary.down('SIGKILL')
    await standby.up()
    await standby.promote()
    address.leadTo(standby.port)
    address.cut()
  }
}

/** Lets the address lead to the standby. @returns what a write and a read are answered there, which may take a while */
async function askStandby({ standby, address, t, followed }: Awaited<ReturnType<typeof summit>>) {
  await make.topic(t)
  await followed()
  address.leadTo(standby.port)
  address.cut()
  return [write(t), make.codeOf(t.client.call('getTopic', { topic_id: 1 }))]
}

test('after a failover to a standby that lagged, pages show what it has, and what is written to it', async () => {
  await using all = await summit()
  const { t } = all
  const failOver = await letLag(all)
  expect(await comments(t)).toBe(10)
  await failOver()
  expect(await comments(t)).toBe(1)
  for (let nth = 2; nth <= 15; nth++) expect([await write(t), await comments(t)]).toEqual([1000, nth])
})

test('a page that was read before the failover and is ready after it is made again', async () => {
  await using all = await summit()
  const failOver = await letLag(all)
  const seen: unknown[] = []
  const cache = new ResponseCache({
    ...all.t.ctx,
    freshness: new Freshness(all.t.ctx.database),
    maxBytes: 1_000_000,
    budget: new ResponseBudget(),
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
  })
  const ask = () => cache.get({ name: 'getTopic', input: { topic_id: 1 }, path: '/', audience: 'public', baseUrl: '' })
  await ask()
  await ask()
  expect(seen).toEqual([{ all: 10 }, { all: 1 }])
})

test('a server that was replaced and still answers is not asked any more', async () => {
  await using all = await summit()
  const { primary, standby, address, t } = all
  await make.topic(t)
  expect(await comments(t)).toBe(0)
  // As when a server is replaced without being stopped: it takes no writes any more.
  await primary.query('alter system set default_transaction_read_only = on')
  await primary.query('select pg_reload_conf()')
  await all.followed()
  await standby.promote()
  address.leadTo(standby.port)
  expect(await write(t)).toBe(5071)
  for (let nth = 1; nth <= 5; nth++) expect([await write(t), await comments(t)]).toEqual([1000, nth])
})

test('a backup that was restored beside the database and has got its name is what pages show', async () => {
  await using server = await PostgresServer.start()
  await using t = await appOn(server)
  const cut = () =>
    server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${t.database}'`)
  await make.topic(t)
  await cut()
  await server.query(`create database backup template ${t.database}`)
  for (let nth = 1; nth <= 5; nth++) await write(t)
  expect(await comments(t)).toBe(5)
  await cut()
  await server.query(`alter database ${t.database} rename to gone`)
  await server.query(`alter database backup rename to ${t.database}`)
  expect(await comments(t)).toBe(0)
  expect([await write(t), await comments(t)]).toEqual([1000, 1])
})

test('requests wait while the address leads to a standby for a moment', async () => {
  await using all = await summit()
  const { primary, address } = all
  const asked = await askStandby(all)
  await sleep(500)
  address.leadTo(primary.port)
  expect(await Promise.all(asked)).toEqual([1000, 1000])
})

test('a standby is as good as no server: nothing is read from it, and nobody stays there', async () => {
  await using all = await summit()
  const { primary, address, t } = all
  const asked = await askStandby(all)
  expect(await Promise.all(asked)).toEqual([5030, 5030])
  address.leadTo(primary.port)
  expect([await write(t), await comments(t)]).toEqual([1000, 1])
})

test('on a standby nobody starts, and is told so in one line', async () => {
  await using all = await summit()
  const { standby, t } = all
  await all.followed()
  const url = standby.url(t.database)
  await expect(openDatabase({ kind: 'server', url }, () => {})).rejects.toThrow(/^The server is a standby, .*\.$/)
})

test('a database that is set to read only is so for writes alone, and no longer than it is set to', async () => {
  await using server = await PostgresServer.start()
  await using t = await appOn(server)
  await make.topic(t)
  const readOnly = (to: 'on' | 'off') =>
    server.query(`alter database ${t.database} set default_transaction_read_only = ${to}`)
  await readOnly('on')
  // It is a setting of new sessions.
  await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${t.database}'`)
  expect([await write(t), await comments(t)]).toEqual([5071, 0])
  await readOnly('off')
  expect([await write(t), await comments(t)]).toEqual([1000, 1])
})

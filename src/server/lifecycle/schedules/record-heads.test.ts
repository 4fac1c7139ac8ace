import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { appendChange } from '../../log/changes/log.ts'
import { commandScope } from '../../scope.ts'
import { recordHeads } from './record-heads.ts'

const AUDIT_KEY = 'a1'.repeat(32)

const headFile = ({ dataDir }: TestApp) => join(dataDir, 'audit-head')
const readHead = (t: TestApp) => readFile(headFile(t), 'utf8').catch(() => 'none')

/** Records as a server of this summit does, with what it logs. The head is recorded again when it stops. */
async function startRecorder({ ctx }: TestApp) {
  const logged: string[] = []
  const log = { error: (text: string) => logged.push(text), warn: ({ err }: { err: Error }) => logged.push(`${err}`) }
  return { logged, stop: await recordHeads(ctx, log as never) }
}

const removeChangesAfter = ({ ctx }: TestApp, id: number) =>
  ctx.database.transaction((db) => db.deleteFrom('change').where('id', '>', id).execute())

const appendRestore = ({ ctx }: TestApp, auditKey = ctx.auditKey) =>
  ctx.database.transaction((tx) =>
    appendChange({ ...commandScope(ctx, tx, 'restore'), auditKey }, { kind: 'summit.restored', record: 0 }),
  )

async function startAppWithChanges(): Promise<TestApp> {
  const t = await startTestApp({ AUDIT_KEY })
  await make.participant(t)
  await make.topic(t, { name: 'Two' })
  return t
}

test.each([
  ['was removed', (t: TestApp) => rm(headFile(t)), 'none'],
  ['was replaced by that of an older log', (t: TestApp, old: string) => writeFile(headFile(t), old), 'old'],
])(
  'a server that runs logs an error if the head %s with the end of the log, and records no other',
  async (_, alter, left) => {
    await using t = await startAppWithChanges()
    await (await startRecorder(t)).stop()
    const old = await readHead(t)
    await make.topic(t, { name: 'Three' })
    const recorder = await startRecorder(t)
    await alter(t, old)
    await removeChangesAfter(t, 2)
    await recorder.stop()
    expect(recorder.logged).toEqual([expect.stringContaining('audit verify')])
    expect(await readHead(t)).toBe(left === 'old' ? old : left)
  },
)

test('servers that share a folder record heads at the same time, and leave nothing else', async () => {
  await using t = await startAppWithChanges()
  const recorders = await Promise.all([1, 2, 3, 4].map(() => startRecorder(t)))
  await make.topic(t, { name: 'Three' })
  await Promise.all(recorders.map(({ stop }) => stop()))
  expect(recorders.flatMap(({ logged }) => logged)).toEqual([])
  expect(await readHead(t)).toMatch(/^3 /)
  expect((await readdir(t.dataDir)).filter((name) => name.startsWith('audit-head'))).toEqual(['audit-head'])
})

test('the nodes that did not restore a backup go on recording heads', async () => {
  await using t = await startAppWithChanges()
  const recorder = await startRecorder(t)
  await removeChangesAfter(t, 1)
  await appendRestore(t)
  await recorder.stop()
  expect(recorder.logged).toEqual([])
  expect(await readHead(t)).toMatch(new RegExp(`^2 ${await newestHash(t)} `))
})

test('a restore that was inserted without the key does not excuse a log that lacks the recorded head', async () => {
  await using t = await startAppWithChanges()
  const recorder = await startRecorder(t)
  const before = await readHead(t)
  await removeChangesAfter(t, 1)
  await appendRestore(t, undefined)
  await t.ctx.database.transaction((db) =>
    db
      .updateTable('change')
      .set({ hash: 'b2'.repeat(32) })
      .where('id', '=', 2)
      .execute(),
  )
  await recorder.stop()
  expect(recorder.logged).toHaveLength(1)
  expect(await readHead(t)).toBe(before)
})

const newestHash = async ({ ctx }: TestApp) =>
  (await ctx.database.read.selectFrom('change').select('hash').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow())
    .hash

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { noParticipant } from '../server/core/ids.ts'
import { exportedLists, exportRows } from '../server/domains/export/export.ts'
import { unguardFormulas } from '../server/domains/export/formula-guard.ts'
import { type ExportedListName, exportedListNames } from '../server/domains/export/list-names.ts'
import type { ExportedRow } from '../server/storage/db/exported-list.ts'
import { createCsvWriter } from './list-file.ts'

const exportAll = (t: TestApp, name: ExportedListName): Promise<ExportedRow[]> =>
  Array.fromAsync(exportRows(t.ctx, name))

const idsOf = async (t: TestApp, name: ExportedListName) => (await exportAll(t, name)).map(({ id }) => id)

test('the guide for operators names every list', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/operate/exports.md'), 'utf8')
  expect(exportedListNames.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})

test.each(exportedListNames)(
  'the CSV of the list %s has the same rows as its JSON, regardless of the content of the cells',
  async (name) => {
    await using t = await startTestApp()
    const troublesome = '\n=cmd|x!A1\r\n"; \'+1'
    const ana = await make.participant(t, { first_name: troublesome, designation: '\r@x' })
    for (const text of [troublesome, '-1', '=1']) await make.oneOfEach(t, ana, { text })

    const rows = await exportAll(t, name)
    const counts: Partial<Record<ExportedListName, number>> = { participants: 1, conference: 1, files: 3 * 4 }
    expect(rows, `rows of the list ${name}`).toHaveLength(counts[name] ?? 3)
    const writer = createCsvWriter(exportedLists[name].columns)
    for (const row of rows) writer.write(row)
    writer.end()
    const [header, ...cells] = parse(await text(writer), { bom: true })
    expect(header).toEqual(Object.keys(rows[0] ?? {}))
    expect(cells.map((row) => row.map(unguardFormulas))).toEqual(
      rows.map((row) => Object.values(row).map((cell) => `${cell ?? ''}`)),
    )
  },
)

test('comments, likes and files of deleted records are not exported', async () => {
  await using t = await startTestApp()
  const uploaded_files = ['https://cdn.summit.example/a.pdf']
  const created_by = await make.participant(t)
  for (const topic_id of [1, 2]) {
    await make.topic(t, { uploaded_files })
    await make.comment(t, { topic_id, uploaded_files })
    await make.comment(t, { topic_id, uploaded_files })
    await t.client.likeTopic({ topic_id, created_by })
  }
  await t.client.deleteTopic({ topic_id: 1 })
  await t.client.deleteComment({ comment_id: 3 })

  expect(await idsOf(t, 'topics')).toEqual([2])
  expect(await idsOf(t, 'comments')).toEqual([4])
  expect(await idsOf(t, 'likes')).toEqual([2])
  expect(await exportAll(t, 'files')).toMatchObject([
    { topic_id: 2, comment_id: null },
    { topic_id: null, comment_id: 4 },
  ])
})

test('events are exported with their pictures and state, and with the schedule of each', async () => {
  await using t = await startTestApp()
  const talk = { program_date: '2030-05-02', program_time: '09:00:00', banner: 'program/1/banner.jpg', photo: 'p.jpg' }
  const id = await make.event(t, { ...talk, is_posted: 1 }, [
    { date: '2030-05-02', time: '09:00:00', title: 'Doors' },
    { date: '2030-05-03', time: '10:00:00', title: 'Keynote' },
  ])
  expect(await exportAll(t, 'events')).toMatchObject([{ id, ...talk, is_posted: 1, posted_at: '0000-00-00 00:00:00' }])
  expect(await exportAll(t, 'activities')).toEqual([
    { id: 1, event_id: id, date: '2030-05-02', time: '09:00:00', title: 'Doors' },
    { id: 2, event_id: id, date: '2030-05-03', time: '10:00:00', title: 'Keynote' },
  ])
})

test('a list of more rows than are read per batch is exported completely', async () => {
  await using t = await startTestApp()
  await t.ctx.database.transaction(async (tx) => {
    for (let id = 1; id <= 2_001; id++)
      await tx
        .insertInto('feedback')
        .values({ participant_id: noParticipant, comments: null, created_at: id })
        .execute()
  })
  expect(await idsOf(t, 'feedback')).toEqual(Array.from({ length: 2_001 }, (_, index) => index + 1))
})

test('lists are exported as JSON and as CSV, without deleted records', async () => {
  await using t = await startTestApp()
  await make.participant(t, { first_name: '=HYPERLINK("x")', email: 'ana@x.example' })
  await make.topic(t, { name: 'Kept' })
  await make.topic(t, { name: 'Gone' })
  await t.client.deleteTopic({ topic_id: 2 })
  const { settings } = t

  const topics = JSON.parse((await runSummitInProcess(['export', 'topics', '--format', 'json'], settings)).out)
  expect(topics).toMatchObject([{ id: 1, header: 'Kept', created_at: '2030-05-01 09:00:00' }])

  const out = join(t.dataDir, 'participants.csv')
  await runSummitInProcess(['export', 'participants', '--out', out], settings)
  const sheet = await readFile(out, 'utf8')
  expect(sheet).toContain('id,employee_no,first_name')
  // A cell that begins like a formula is escaped.
  expect(sheet).toContain(`"'=HYPERLINK(""x"")"`)
  expect((await runSummitInProcess(['export', 'participants', '--out', out], settings)).err).toContain('already exists')
  const inMissingFolder = join(t.dataDir, 'no', 'topics.csv')
  const line = `Cannot write ${inMissingFolder}: its folder does not exist.\n`
  expect(await runSummitInProcess(['export', 'topics', '--out', inMissingFolder], settings)).toEqual({
    code: 1,
    out: '',
    err: line,
  })
  expect((await runSummitInProcess(['export', 'topics', '--out', ''], settings)).err).toBe('--out needs a file name.\n')

  expect(JSON.parse((await runSummitInProcess(['export', 'feedback', '--format', 'json'], settings)).out)).toEqual([])
})

test('exported feedback names its participant and its session', async () => {
  await using t = await startTestApp()
  const participant_id = await make.participant(t)
  const program_id = await make.event(t, { title: 'Small boats' })
  await t.client.addFeedback({ participant_id, program_id, comments: 'Fine' })
  await t.client.addFeedback({ participant_id: 404, comments: 'From a stranger' })
  const { out } = await runSummitInProcess(['export', 'feedback'], t.settings)
  expect(
    out
      .replace('\u{FEFF}', '')
      .split('\n')
      .map((line) => line.split(',').slice(0, 5).join()),
  ).toEqual([
    'id,participant_id,participant,program_id,session',
    `1,${participant_id},Ana Cruz,${program_id},Small boats`,
    '2,404,,0,',
    '',
  ])
})

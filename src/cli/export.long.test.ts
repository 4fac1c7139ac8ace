import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { noParticipant } from '../server/core/ids.ts'
import { exportedLists } from '../server/domains/export/export.ts'
import { unguardFormulas } from '../server/domains/export/formula-guard.ts'
import { type ExportedListName, exportedListNames } from '../server/domains/export/list-names.ts'
import { exportAll, idsOf } from './export.fixtures.ts'
import { createCsvWriter } from './list-file.ts'

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

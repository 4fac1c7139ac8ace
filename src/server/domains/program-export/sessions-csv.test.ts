import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import type { SpeakerId } from '../../core/ids.ts'
import { parseProgram } from '../import/formats/detect.ts'
import { planParts } from '../import/program/plan-parts.ts'
import { loadParts } from '../import/program/program-parts-plan.ts'
import { planProgram } from '../import/program/program-plan.ts'
import { listAllEvents } from '../program/events.ts'
import { addRecord } from '../program/records.ts'
import { addConference, readFile } from './export-program.fixtures.ts'

/** What an import of a spreadsheet would change. */
async function planCsv(t: TestApp, csv: string): Promise<string[]> {
  const file = parseProgram(csv, 'sessions.csv', defaultLimits)
  expect([file.format, file.warnings, file.unused]).toEqual(['CSV', [], []])
  const { read } = t.ctx.database
  const all = await listAllEvents(read)
  const resolved = planParts(file, await loadParts(read), all, '')
  const { sessions, parts } = planProgram(resolved, all, '', { partial: true })
  return [
    ...parts.map(({ kind, change, values, differences }) => ({
      title: `${kind} ${JSON.stringify(values)}`,
      change,
      differences,
    })),
    ...sessions,
  ].flatMap(({ title, change, differences }) =>
    change === 'unchanged' ? [] : [`${change} ${title}: ${differences.join(', ')}`],
  )
}

test('a spreadsheet that is imported as it is changes nothing, and an edited one what was edited', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const csv = await readFile(t, 'sessions.csv')
  expect(csv.startsWith('Summit ID,Title,')).toBe(true)
  expect(await planCsv(t, csv)).toEqual([])
  expect(await planCsv(t, csv.replace(',Workshop,', ',Workshop in two parts,').replace('Hall 1', 'Bar'))).toEqual([
    'retitled Workshop in two parts: title “Workshop” → “Workshop in two parts”, room “Hall 1” → “Bar”, address “1 Summit Street” → none, building “Congress Centre” → none',
  ])
  const room = { name: 'Hall 2', building: 'Congress Centre', address: '1 Summit Street' }
  await inCommand(t, (scope) => addRecord(scope, 'room', room))
  expect(await planCsv(t, csv.replace('Hall 1', 'Hall 2'))).toEqual(['moved Workshop: room “Hall 1” → “Hall 2”'])
})

test.each([
  ['formulas', '=cmd|calc!A1'],
  ['other formulas', '+1 @sum -1 =2'],
  ['quotation marks', '"a" “b” \'=c'],
  ['separators', 'a, b | c'],
  ['text from right to left', 'مؤتمر ‏القمة‏ – שלום (1)'],
  ['emoji', '👩🏽‍🚀'.repeat(20)],
])('%s survive a spreadsheet, and no cell is run', async (_, text) => {
  await using t = await startTestApp()
  const texts = { title: text, subtitle: text, location_name: text, speaker: text, position: text, company: text }
  const track_id = await make.track(t, { name: text })
  const tags = JSON.stringify([text, `${text}2`])
  const shown = { program_date: '2030-05-02', program_time: '09:00:00' }
  const links = JSON.stringify([{ rel: 'attachment', title: text, url: 'https://a.example/' }])
  await make.event(t, { ...texts, ...shown, track_id, tags, links, type: text, code: text, slug: text, license: text })
  const csv = await readFile(t, 'sessions.csv')
  expect(csv).not.toMatch(/(?:^|,|\n)"?[=+@-]/)
  expect(await planCsv(t, csv)).toEqual([])
})

test('speakers of one name are told apart, and some of several have a position', async () => {
  await using t = await startTestApp()
  const speakers = await inCommand(t, async (scope) => {
    const ids: number[] = []
    for (const position of ['', 'Engineer', '']) ids.push(await addRecord(scope, 'speaker', { name: 'Ana', position }))
    return ids as SpeakerId[]
  })
  const shown = { program_date: '2030-05-02', program_time: '09:00:00' }
  await make.event(t, { ...shown, speakers })
  await make.event(t, { ...shown, title: 'Closing', speakers: speakers.toReversed().slice(1) })
  expect(await planCsv(t, await readFile(t, 'sessions.csv'))).toEqual([])
})

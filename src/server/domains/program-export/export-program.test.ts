import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { maxListedEvents, programFiles } from '../../../contract/program-export.ts'
import type { EventId } from '../../core/ids.ts'
import { updateEvent } from '../program/events.ts'
import { updateRecord } from '../program/records.ts'
import { addConference, eventFiles, readFile } from './export-program.fixtures.ts'

const pathOf = (t: TestApp, file: string) => `${t.url}/api/program/export/${file}`

test.each([
  ['schedule.xml', 'application/xml'],
  ['schedule.json', 'application/json'],
  ['schedule.ics', 'text/calendar; charset=utf-8'],
  ['all.json', 'application/json'],
  ['gridsmart.json', 'application/json'],
  ['sessions.csv', 'text/csv; charset=utf-8'],
])('a reader gets %s with its type, and again only if it has changed', async (file, type) => {
  await using t = await startTestApp()
  await addConference(t)
  const { headers } = await fetch(pathOf(t, file))
  expect(headers.get('content-type')).toBe(type)
  expect(headers.get('content-disposition')).toContain(`attachment; filename="${file}"`)
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  expect((await fetch(pathOf(t, file), known)).status).toBe(304)
  await inCommand(t, (scope) => updateRecord(scope, 'room', 2, { name: 'Lounge' }))
  const changed = await fetch(pathOf(t, file), known)
  expect(changed.status).toBe(200)
  expect(await changed.text()).toContain('Lounge')
})

test('a file is the same for all readers until the program changes, a list of events always as it is now', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const files = [...eventFiles, 'schedule.ics?room=1', 'schedule.ics?events=1']
  const readAll = () => Promise.all([...files, ...files].map((file) => readFile(t, file)))
  const before = await readAll()
  t.advance(60_000)
  expect(await readAll()).toEqual(before)
  await inCommand(t, (scope) => updateEvent(scope, 1 as EventId, { title: 'Workshop, part one' }))
  for (const text of await readAll()) expect(text).toMatch(/Workshop\\?, part one/)
  expect(await readFile(t, 'schedule.ics?events=1')).toContain('LAST-MODIFIED:20300501')
})

test('events that are deleted or have no time are in no file, nor are their speakers', async () => {
  await using t = await startTestApp()
  await addConference(t)
  await inCommand(t, (scope) => updateEvent(scope, 1 as EventId, { is_deleted: 1 }))
  for (const file of eventFiles) {
    const text = await readFile(t, file)
    expect(text).toContain('Party')
    expect(text).not.toMatch(/Workshop|Ana Cruz|To be announced/)
  }
})

test('an empty program has files without events', async () => {
  await using t = await startTestApp()
  for (const file of programFiles) expect(await readFile(t, file)).not.toMatch(/<event|VEVENT|"guid"/)
})

test('another file is not found', async () => {
  await using t = await startTestApp()
  for (const file of ['schedule.doc', 'SCHEDULE.XML', '__proto__', 'schedule.ics%00'])
    expect(await make.send(t, 'GET', `/api/program/export/${file}`)).toMatchObject({
      response_code: 4040,
      data: { reason: 'FILE_NOT_FOUND' },
    })
})

test('only a calendar can be filtered, by what exists, and by at most 200 ids', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join()
  const refused = async (file: string) => {
    const { response_code, data } = await make.send(t, 'GET', `/api/program/export/${file}`)
    const { reason, fields } = data as { reason: string; fields: { field: string; reason: string }[] }
    return [response_code, reason, ...fields.map((field) => `${field.field} ${field.reason}`)]
  }
  expect(await refused('schedule.xml?room=1&events=1')).toEqual([
    ...[4220, 'VALIDATION_FAILED', 'room UNKNOWN', 'events UNKNOWN'],
  ])
  expect(await refused('schedule.ics?room=x')).toEqual([4220, 'VALIDATION_FAILED', 'room NOT_AN_INTEGER'])
  expect(await refused('schedule.ics?day=1')).toEqual([4220, 'VALIDATION_FAILED', 'day UNKNOWN'])
  for (const list of ['1,', ',', 'a', '1;2', '0', '-1', '1.5', '1,%002'])
    expect(await refused(`schedule.ics?events=${list}`)).toEqual([
      ...[4220, 'VALIDATION_FAILED', 'events NOT_AN_INTEGER'],
    ])
  expect(await refused(`schedule.ics?events=${ids(maxListedEvents + 1)}`)).toEqual([
    ...[4220, 'VALIDATION_FAILED', 'events TOO_MANY'],
  ])
  for (const [filter, reason] of [
    ['room', 'ROOM_NOT_FOUND'],
    ['track', 'TRACK_NOT_FOUND'],
    ['speaker', 'SPEAKER_NOT_FOUND'],
  ])
    expect((await refused(`schedule.ics?${filter}=9`)).slice(0, 2)).toEqual([4040, reason])
  expect(await readFile(t, `schedule.ics?events=${ids(maxListedEvents)}`)).toContain('SUMMARY:Workshop')
})

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../../test/command.ts'
import { documentedSteps, outputPattern } from '../../../../../test/documented-steps.ts'
import { hugeFiles } from '../formats/hostile-files.fixtures.ts'
import { formats, readInventedProgram } from '../formats/programs.fixtures.ts'
import { createPicture } from '../images/images.fixtures.ts'
import { apply, boats, closing, csv, opening, plan, startWithEditor, toFile } from './import-program.fixtures.ts'

const loggedChanges = async (t: Awaited<ReturnType<typeof startWithEditor>>) =>
  (await t.ctx.database.read.selectFrom('change').select('id').execute()).length

describe('a plan', () => {
  test('is applied as it is, in every format, and then there is nothing to do', async () => {
    await using t = await startWithEditor()
    for (const source of formats) {
      const file = toFile(readInventedProgram(source), 'program')
      const planned = await plan(t.editor, file, { source })
      const { revision_id } = await t.editor.applyImport({ source, hash: planned.hash }, { file })
      expect(revision_id, source).not.toBeNull()
      const again = await plan(t.editor, file, { source })
      expect(again.counts.unchanged, source).toBe(again.sessions.length)
      expect(await t.editor.applyImport({ source, hash: again.hash }, { file })).toEqual({ revision_id: null })
    }
  })
})

describe('an import', () => {
  test('of chosen rows writes these, with their rooms, tracks and speakers', async () => {
    await using t = await startWithEditor()
    await apply(t.editor, csv(opening, boats, closing), { only: [2] })
    expect(await t.titles()).toEqual(['Boats'])
    const { draft } = await t.editor.getDraft({})
    expect(
      [draft.rooms.list, draft.tracks.list, draft.speakers].map(([first, ...others]) => [first?.name, others]),
    ).toEqual([
      ['Pier', []],
      ['Water', []],
      ['Ben Day', []],
    ])
    const { counts } = await plan(t.editor, csv(opening, boats, closing))
    expect(counts).toMatchObject({ new: 2, unchanged: 1 })
    await expect(apply(t.editor, csv(opening, boats, closing), { only: [1, 4] })).rejects.toMatchObject({
      data: { fields: [{ field: 'only[1]', reason: 'UNKNOWN' }] },
    })
    expect(await apply(t.editor, csv(opening, boats, closing), { only: [] })).toEqual({ revision_id: null })
  })

  test('is listed by the command, in the name of the editor, and undone by it', async () => {
    await using t = await startWithEditor()
    const { revision_id } = await apply(t.editor, csv(opening))
    expect((await runSummitInProcess(['import', 'list'], t.settings)).out).toMatch(/1 .*program.*program\.csv/)
    await runSummitInProcess(['import', 'undo', revision_id ?? '', '--apply'], t.settings)
    expect(await t.titles()).toEqual([])
  })

  test('is refused with the present plan if a speaker has been erased since its plan', async () => {
    await using t = await startWithEditor()
    await apply(t.editor, csv(opening, boats))
    const file = csv(opening, boats)
    const { hash } = await plan(t.editor, file)
    await t.editor.deleteSpeaker({ id: 2, revision: 1 })
    await expect(t.editor.applyImport({ hash }, { file })).rejects.toMatchObject({
      data: {
        reason: 'EVENT_CHANGED',
        current: {
          plan: {
            counts: { changed: 1, unchanged: 1 },
            sessions: [{}, { event_id: '2', differences: [expect.stringContaining('Ben Day')] }],
          },
        },
      },
    })
    expect((await t.editor.getDraft({})).draft.speakers.map(({ name }) => name)).toEqual(['Ana Cruz'])
  })

  test('that loses much of the program has to be confirmed', async () => {
    await using t = await startWithEditor()
    await apply(t.editor, csv(opening, boats, closing))
    expect((await plan(t.editor, csv(opening))).losses).toMatchObject({
      needs_replace: true,
      days_left_out: [{ day: '2030-05-03', sessions: 1 }],
    })
    await expect(apply(t.editor, csv(opening))).rejects.toMatchObject({
      data: { reason: 'VALIDATION_FAILED', fields: [{ field: 'replace', reason: 'NOT_CONFIRMED' }] },
    })
    await apply(t.editor, csv(opening), { partial: true })
    expect(await t.titles()).toEqual(['Opening', 'Boats', 'Closing'])
    await apply(t.editor, csv(opening), { replace: true })
    expect(await t.titles()).toEqual(['Opening', 'Cancelled: Boats', 'Cancelled: Closing'])
  })

  test('of an edited spreadsheet changes what was edited, and names what it would revert', async () => {
    await using t = await startWithEditor()
    await apply(t.editor, csv(opening, boats))
    const response = await t.editor.exportProgram({ file: 'sessions.csv' })
    const sheet = (await response.text()).replace('Boats', 'Small boats').replace('Opening', 'Welcome')
    t.advance(60_000)
    const { event } = await t.editor.getDraftEvent({ id: 1 })
    await t.editor.updateEvent({ id: 1, revision: event.revision, title: 'Hello' })
    await t.editor.publish({})
    const planned = await plan(t.editor, toFile(sheet), { partial: true })
    expect(planned.sessions).toMatchObject([
      { change: 'retitled', is_reverted: true, differences: ['title “Hello” → “Welcome”'] },
      { change: 'retitled', is_reverted: false },
    ])
    await apply(t.editor, toFile(sheet), { partial: true, only: [2] })
    expect(await t.titles()).toEqual(['Hello', 'Small boats'])
  })
})

test('the commands in the API guide plan and import a program and a picture', async () => {
  await using t = await startWithEditor()
  const guide = await readFile(join(import.meta.dirname, '../../../../../docs/api.md'), 'utf8')
  const [, text = ''] = guide.split('\n### Importing files\n')
  const steps = documentedSteps(text.split(/\n##/)[0] ?? '')
  expect(steps).toHaveLength(4)
  await writeFile(join(t.dataDir, 'schedule.csv'), await csv(opening).text())
  await createPicture().jpeg().toFile(join(t.dataDir, 'Opening.jpg'))
  const env = { ...process.env, KEY: t.headers.authorization?.replace('Bearer ', '') }
  let hash = ''
  for (const { command, output } of steps) {
    const adapted = command.replace('http://127.0.0.1:3000', t.url).replace('5b1f…', hash).replace('curl', 'curl -s')
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', adapted], { cwd: t.dataDir, env })
    hash ||= /"hash":"(\w+)"/.exec(stdout)?.[1] ?? ''
    expect(stdout.trim().replace(hash, '5b1f…')).toMatch(outputPattern(output))
  }
  expect(await t.titles()).toEqual(['Opening'])
})

describe('a file', () => {
  const unusable: [string, string | Buffer, string][] = [
    ['is empty', '', 'The file is empty.'],
    ['is no program', 'x', 'no row of headings'],
    ['has no session', 'title,start\n', 'no sessions'],
    [
      'is a list that was exported',
      'id,source_key,date_from,title\n1,a,2030-05-02 09:00:00,Opening',
      'cannot be imported',
    ],
    ['is not UTF-8', Buffer.from('{"a": "\xff"}', 'latin1'), 'not valid UTF-8'],
    ['is an image', Buffer.from('89504e470d0a1a0a', 'hex'), 'is an image'],
    ['is a damaged archive', Buffer.from('PK\x03\x04xxxx', 'latin1'), 'cannot be unpacked'],
  ]

  test('that is none, or no program, is refused with the reason', async () => {
    await using t = await startWithEditor()
    const before = await loggedChanges(t)
    for (const [what, content, message] of unusable)
      for (const request of [
        () => t.editor.planImport({}, { file: toFile(content) }),
        () => t.editor.applyImport({ hash: '0' }, { file: toFile(content) }),
      ])
        await expect(request(), what).rejects.toMatchObject({
          data: {
            reason: 'NOT_A_PROGRAM',
            fields: [
              { field: 'file', in: 'body', reason: 'NOT_IMPORTABLE', message: expect.stringContaining(message) },
            ],
          },
        })
    expect(await loggedChanges(t)).toBe(before)
  })

  test('that is hostile is refused, and the next one is read', async () => {
    await using t = await startWithEditor()
    for (const text of hugeFiles(100_000))
      await expect(t.editor.planImport({}, { file: toFile(text, 'a') })).rejects.toMatchObject({
        data: { reason: 'NOT_A_PROGRAM', fields: [{ field: 'file' }] },
      })
    expect((await plan(t.editor, csv(opening))).counts.new).toBe(1)
  })

  test('reads times of no zone of their own as those of the conference, as the command does', async () => {
    await using t = await startWithEditor()
    await t.editor.updateConference({ revision: 0, time_zone: 'Europe/Berlin' })
    const text = [
      'BEGIN:VEVENT',
      'UID:1',
      'SUMMARY:Boats',
      'DTSTART:20300502T070000Z',
      'DTEND:20300502T080000Z',
      'END:VEVENT',
    ]
    const calendar = ['BEGIN:VCALENDAR', ...text, 'END:VCALENDAR'].join('\r\n')
    const file = toFile(calendar, 'program.ics')
    expect((await plan(t.editor, file)).sessions[0]?.where_and_when).toBe('2030-05-02 09:00')
    expect((await plan(t.editor, file, { time_zone: 'Asia/Tokyo' })).sessions[0]?.where_and_when).toBe(
      '2030-05-02 16:00',
    )
    const path = join(t.dataDir, 'program.ics')
    await writeFile(path, calendar)
    expect((await runSummitInProcess(['import', 'program', path], t.settings)).out).toContain('(2030-05-02 09:00)')
  })

  test('that is missing, sent twice or as text, and every invalid option, are named together', async () => {
    await using t = await startWithEditor()
    const send = async (...fields: [string, string | File][]) => {
      const body = new FormData()
      for (const [name, value] of fields) body.append(name, value)
      const response = await fetch(`${t.url}/api/program/import/plan`, { method: 'POST', headers: t.headers, body })
      const [envelope] = (await response.json()) as [{ data: { fields?: { field: string; reason: string }[] } }]
      return envelope.data.fields?.map(({ field, reason }) => `${field} ${reason}`)
    }
    expect(
      await send(['file', 'title,start'], ['first_day', 'soon'], ['time_zone', 'Mars'], ['dates', 'x'], ['draft', 'y']),
    ).toEqual([
      'time_zone NOT_A_TIME_ZONE',
      'first_day NOT_A_DATE',
      'dates UNKNOWN',
      'draft NOT_A_BOOLEAN',
      'file REQUIRED',
    ])
    expect(await send(['file', csv(opening)], ['file', csv(opening)], ['photo', csv(boats)])).toEqual([
      'photo UNEXPECTED_FILE',
      'file REPEATED',
    ])
  })

  test('that is larger than one file is refused', async () => {
    await using t = await startWithEditor({ MAX_FILE_BYTES: '1000' })
    await expect(t.editor.planImport({}, { file: toFile('x'.repeat(1_001)) })).rejects.toMatchObject({
      data: { reason: 'TOO_LARGE', fields: [{ field: 'file' }] },
    })
  })
})

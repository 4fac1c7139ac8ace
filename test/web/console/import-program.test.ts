import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

// Each plan starts a process.
vi.setConfig({ testTimeout: 60_000 })

const plan = 'Show what it would change'
const header = 'ID,Title,Start,End,Room,Speaker'
const rows = {
  opening: '1,Opening,2030-05-02 09:00,2030-05-02 10:00,Hall,Ana Cruz',
  boats: '2,Boats,2030-05-02 11:00,2030-05-02 12:00,Pier,Ben Day',
  closing: '3,Closing,2030-05-03 17:00,2030-05-03 18:00,Hall,Ana Cruz',
}

const toFile = (lines: readonly string[], name = 'program.csv') => new File([lines.join('\n')], name)
const csv = (...lines: string[]) => toFile([header, ...lines])

async function start() {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  /** Plans a file and imports all of it. */
  const importAll = async (file: File, draft = 'false') => {
    const planned = await eva.submit('/console/import', plan, { file, draft })
    return eva.submit(planned, 'Import', { file })
  }
  const titles = async () =>
    (await t.client.getSchedule({})).schedule.events.map(({ title, is_cancelled }) =>
      is_cancelled ? `(${title})` : title,
    )
  return { ...t, eva, importAll, titles }
}

test('an editor sees what a file would change, imports it as drafts, publishes nothing yet, and takes it back', async () => {
  await using t = await start()
  const { eva } = t
  const file = csv(rows.opening, rows.boats, rows.closing)
  const planned = await eva.submit('/console/import', plan, { file })
  expect(planned.status).toBe(200)
  expect(planned.words).toMatch(/What this file changes 3 new FormatCSV Days2 days, 2\s–\s3 May 2030 Rooms2/)
  expect(planned.words).toMatch(/Opening Hall, 2 May, 09:00 · line 2/)
  expect(planned.words).toMatch(/Ana Cruz Speaker, new/)
  expect(await t.titles()).toEqual([])
  const done = await eva.submit(planned, 'Import', { file })
  expect(done.path).toMatch(/^\/console\/import\?done=\d+&imported=3&draft=true$/)
  expect(done.words).toContain('The file is imported. Undo')
  expect(done.words).toContain('3 sessions were imported as drafts. Look through them, then publish.')
  expect(await t.titles()).toEqual([])
  expect((await eva.submit('/console/import', plan, { file })).words).toContain(
    'Nothing: all that is in the file is in the program already.',
  )
  expect((await eva.submit(done, 'Undo')).words).toContain('Undone.')
  expect((await eva.submit('/console/import', plan, { file })).words).toContain('3 new')
})

test('what was moved, retitled and cancelled comes before what is new, and only what is ticked is imported', async () => {
  await using t = await start()
  const { eva } = t
  await t.importAll(csv(rows.opening, rows.boats, rows.closing))
  expect(await t.titles()).toEqual(['Opening', 'Boats', 'Closing'])
  const file = csv(
    rows.opening.replace('09:00', '09:30'),
    rows.boats.replace('Boats', 'Small boats'),
    '4,Knots,2030-05-03 09:00,2030-05-03 10:00,Pier,',
  )
  const planned = await eva.submit('/console/import', plan, { file, draft: 'false' })
  const places = ['Cancelled 1', 'Moved 1', 'Retitled 1', 'New 1'].map((heading) => planned.words.indexOf(heading))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(planned.words).toContain('title “Boats” → “Small boats”')
  const boxes = [...planned.text.matchAll(/name="only" value="([^"]*)" checked/g)].map(([, value = '']) => value)
  expect(boxes).toHaveLength(4)
  const renamed = boxes.find((value) => value.startsWith('2-')) ?? ''
  const done = await eva.submit(planned, 'Import', { file, only: [renamed] })
  expect(done.path).toContain('imported=1')
  expect(await t.titles()).toEqual(['Opening', 'Small boats', 'Closing'])
  const none = await eva.submit(await eva.submit('/console/import', plan, { file, draft: 'false' }), 'Import', {
    file,
    only: [],
  })
  expect(none.words).toContain('Nothing was changed.')
  expect(await t.titles()).toEqual(['Opening', 'Small boats', 'Closing'])
})

test('a file with a part of the program is not imported before somebody says what it is', async () => {
  await using t = await start()
  const { eva } = t
  await t.importAll(csv(rows.opening, rows.boats, rows.closing))
  const file = csv(rows.opening.replace('Opening', 'Welcome'))
  const planned = await eva.submit('/console/import', plan, { file, draft: 'false' })
  expect(planned.words).toContain('Is this the whole program?')
  expect(planned.words).toContain('The file has nothing on Friday 3 May, where you have 1 session.')
  const refused = await eva.submit(planned, 'Import', { file })
  expect([refused.status, refused.words]).toEqual([422, expect.stringContaining('Say whether it is the whole program')])
  const partly = await eva.submit(planned, 'Import', { file, whole: 'part' })
  expect([partly.status, partly.words]).toEqual([409, expect.stringContaining('if it has only some sessions')])
  expect(partly.words).toContain('1 retitled')
  await eva.submit(partly, 'Import', { file })
  expect(await t.titles()).toEqual(['Welcome', 'Boats', 'Closing'])
  const ships = csv(rows.boats.replace('Boats', 'Ships'))
  const chosen = await eva.submit('/console/import', plan, { file: ships, draft: 'false' })
  const box = /name="only" value="(\d+-e2)"/.exec(chosen.text)?.[1] ?? ''
  await eva.submit(chosen, 'Import', { file: ships, whole: 'chosen', only: [box] })
  expect(await t.titles()).toEqual(['Welcome', 'Ships', 'Closing'])
  const whole = await eva.submit('/console/import', plan, { file, draft: 'false' })
  await eva.submit(whole, 'Import', { file, whole: 'whole' })
  expect(await t.titles()).toEqual(['Welcome', '(Ships)', '(Closing)'])
})

test('if the program changes before a plan is applied, the present plan is shown with the choice that was made', async () => {
  await using t = await start()
  const { eva } = t
  await t.importAll(csv(rows.opening, rows.boats, rows.closing))
  const file = csv(rows.opening.replace('Hall', 'Garden'), rows.boats.replace('Pier', 'Garden'), rows.closing)
  const planned = await eva.submit('/console/import', plan, { file, draft: 'false' })
  await t.importAll(csv(rows.opening, rows.boats, rows.closing.replace('Closing', 'Farewell')))
  const stale = await eva.submit(planned, 'Import', { file, only: ['2-e2'] })
  expect([stale.status, stale.words]).toEqual([
    409,
    expect.stringContaining('The program has changed since you saw this plan.'),
  ])
  const ticked = [...stale.text.matchAll(/name="only" value="([^"]*)"( checked)?/g)].map(([, value, on]) => [
    value,
    !!on,
  ])
  expect(ticked).toEqual([
    ['1-e1', false],
    ['2-e2', true],
    ['3-e3', false],
  ])
  await eva.submit(stale, 'Import', { file })
  const { events, rooms } = (await t.client.getSchedule({})).schedule
  const roomOf = (id: string | null) => rooms.find((room) => room.id === id)?.name
  expect(events.map(({ title, room_id }) => [title, roomOf(room_id)])).toEqual([
    ['Opening', 'Hall'],
    ['Boats', 'Garden'],
    ['Farewell', 'Hall'],
  ])
})

test('a spreadsheet with headings in German is read, and each line that is not names what is wrong with it', async () => {
  await using t = await start()
  const lines = [
    'Titel;Beginn;Ende;Raum;Referent;Farbe',
    'Eröffnung;02.05.2030 09:00;02.05.2030 10:00;Saal;Ana Cruz;rot',
    'Boote;02.05.2030 09:30;bald;Saal;Ben Day;',
    'Knoten;morgen;;;;',
    'Segel;02.05.2030 09:30;02.05.2030 10:30;Saal;Ana Cruz;',
  ]
  const { words } = await t.eva.submit('/console/import', plan, { file: toFile(lines) })
  expect(words).toContain('2 new')
  expect(words).toContain('2 clashes: two sessions at the same time')
  expect(words).toMatch(/in the room Saal: Eröffnung 2 May, 09:00–10:00 Segel 2 May, 09:30–10:30/)
  expect(words).toContain(
    'Left out line 3: Session “Boote” ends at “bald”, which is not a valid date or time; skipped.',
  )
  expect(words).toContain('Left out line 4: Session “Knoten” starts at “morgen”')
  expect(words).toContain('“Farbe” 1×')
})

test('dates that can be read in two ways are named, and read otherwise if somebody says so', async () => {
  await using t = await start()
  const file = toFile(['Title,Start', 'Opening,03/04/2030 09:00', 'Closing,05/04/2030 09:00'])
  const first = await t.eva.submit('/console/import', plan, { file })
  expect(first.words).toContain('“03/04/2030 09:00” are read day first (Wednesday 3 April 2030)')
  expect(first.words).toContain('If that is wrong, choose “Order of dates” under Options: month-first.')
  expect(first.words).toContain('Opening 3 Apr, 09:00')
  const second = await t.eva.submit(first, plan, { file, dates: 'month-first' })
  expect(second.words).toContain('Opening 4 Mar, 09:00')
})

test.each([
  ['that is none', undefined, ['Choose a file.']],
  ['that is empty', new File([''], 'program.csv'), ['The file is empty.', 'Mend this in the file']],
  [
    'of Excel',
    new File(['PK\x03\x04xxxx'], 'program.xlsx'),
    ['program.xlsx is an Excel workbook or another archive. Save the sheet as CSV first.'],
  ],
  [
    'that is not of the encoding that it names',
    new File([new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])], 'a.json'),
    ['a.json is not valid UTF-8', 'name its encoding: “Encoding” under Options.'],
  ],
  ['that is a picture', new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])], 'a.png'), ['is an image']],
  [
    'with faults on every line',
    csv(',,2030-05-02 09:00', '2,Boats,soon'),
    ['Line 2: Session has no title; skipped.', 'Line 3: Session “Boats” starts at “soon”'],
  ],
])('a file %s says what to do, and keeps the options', async (_, file, sentences) => {
  await using t = await start()
  const failed = await t.eva.submit('/console/import', plan, {
    ...(file && { file }),
    draft: 'false',
    source: 'workshops',
    partial: 'true',
  })
  expect(failed.status).toBe(422)
  for (const sentence of sentences) expect(failed.words).toContain(sentence)
  expect(failed.text).toContain('value="workshops"')
  expect(failed.text).toMatch(/name="partial" value="true" checked/)
  expect(failed.text).toMatch(/name="draft" value="false" checked/)
})

test('a file that is too large to be read leaves the choice that attendees see nothing yet', async () => {
  await using t = await start()
  const file = new File(['x'.repeat(21 * 2 ** 20)], 'program.csv')
  const failed = await t.eva.submit('/console/import', plan, { file, draft: 'false' })
  expect([failed.status, failed.words]).toEqual([413, expect.stringContaining('A file may have at most 20 MB.')])
  expect(failed.text).toMatch(/name="draft" value="true" checked/)
})

test('more sessions than a form can name are imported together', async () => {
  await using t = await start()
  const many = Array.from({ length: 1_001 }, (_, index) => {
    const [day, hour] = [String(1 + (index % 28)).padStart(2, '0'), String(8 + (index % 12)).padStart(2, '0')]
    return `${index},Talk ${index},2030-05-${day} ${hour}:00,2030-05-${day} ${hour}:30,Room ${index},`
  })
  const file = csv(...many)
  const planned = await t.eva.submit('/console/import', plan, { file, draft: 'false' })
  expect(planned.words).toContain('1,001 new')
  expect(planned.words).toContain('These are more than 900, so they can only be imported together.')
  expect(planned.text).not.toContain('name="only"')
  const done = await t.eva.submit(planned, 'Import', { file })
  expect(done.path).toContain('imported=1001')
  expect(await t.titles()).toHaveLength(1_001)
})

test('only editors import a program, and whoever signs in again after a form gets its page', async () => {
  await using t = await start()
  const { status, location } = await t.eva.open('/console/import/apply')
  expect([status, location]).toEqual([303, '/console/import'])
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  expect((await mia.open('/console/import')).status).toBe(403)
})

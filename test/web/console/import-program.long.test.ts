import { expect, test } from 'vitest'
import { addParticipant } from '../../../src/server/domains/participants/participants.ts'
import { recordRevision } from '../../../src/server/domains/revisions/record-revision.ts'
import { inCommand } from '../../in-command.ts'
import { csv, plan, rows, startImporting, toFile } from './program-files.ts'

test('what was moved, retitled and cancelled comes before what is new, and only what is ticked is imported', async () => {
  await using t = await startImporting()
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
  expect(planned.words).toContain('start 2 May, 09:00 → 2 May, 09:30')
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

test('below the form is what was imported so far, by whom, and what can be undone; the history has the rest', async () => {
  await using t = await startImporting()
  const { eva } = t
  expect((await eva.open('/console/import')).words).not.toContain('Imports so far')
  for (const title of ['Opening', 'Welcome', 'Hello'])
    await t.importAll(csv(rows.opening.replace('Opening', title), rows.boats))
  await eva.client.undoRevision({ id: 3 })
  const by = (id: number) => `1 May, 11:00, eva@summit.example, No. ${id}`
  for (const path of ['/console/import', '/console/import/images']) {
    const { words, text } = await eva.open(path)
    expect(words).toContain(
      `Imports so far Imported program.csv Published Undone ${by(3)} Imported program.csv: “Welcome” Published ${by(2)} Undo `,
    )
    expect(text).toContain('href="/console/history/2"')
    expect(words).not.toContain('All imports')
  }
  await eva.client.createEvent({ title: 'Knots' })
  for (let n = 0; n < 8; n++)
    await inCommand(t, (scope) => {
      const write = () => addParticipant(scope, { first_name: 'Ana', email: `${n}@x.example` })
      const revision = { kind: 'import', command: 'import participants', file: `${n}.csv` } as const
      return recordRevision(scope, revision, [{ kind: 'participant', id: undefined, write }])
    })
  const listed = await eva.open('/console/import')
  expect(listed.words).toContain('Imported participants from 7.csv: 1 record 1 May, 11:00, the operator')
  expect(listed.words).not.toContain(by(1))
  expect(listed.text).toContain('<a href="/console/history?kind=import">All imports</a>')
  const all = await eva.open('/console/history?kind=import')
  expect(all.words).toContain(by(1))
  expect(all.words).not.toContain('Created a session')
})

test('how a file was read is said: headings in German, lines left out, and dates that can be read in two ways', async () => {
  await using t = await startImporting()
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
  expect(words).toMatch(
    /Look at this first 1 column is not used “Farbe” 1 value To use a column, give it another heading, such as Title, Desc.* 2 clashes/,
  )
  const file = toFile(['Title,Start', 'Opening,03/04/2030 09:00', 'Closing,05/04/2030 09:00'])
  const first = await t.eva.submit('/console/import', plan, { file })
  expect(first.words).toContain('“03/04/2030 09:00” are read day first (Wednesday 3 April 2030)')
  expect(first.words).toContain('If that is wrong, choose “Order of dates” under Options: month-first.')
  expect(first.words).toContain('Opening 3 Apr, 09:00')
  const second = await t.eva.submit(first, plan, { file, dates: 'month-first' })
  expect(second.words).toContain('Opening 4 Mar, 09:00')
})

test('a file that cannot be imported says what to do, and the options stay', async () => {
  await using t = await startImporting()
  for (const [file, sentences] of [
    [undefined, ['Choose a file.']],
    [new File([''], 'program.csv'), ['The file is empty.', 'Mend this in the file']],
    [new File(['PK\x03\x04xxxx'], 'program.xlsx'), ['program.xlsx cannot be unpacked', 'Save or download it again.']],
    [
      new File([new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])], 'a.json'),
      ['a.json is not valid UTF-8', 'name its encoding: “Encoding” under Options.'],
    ],
    [new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])], 'a.png'), ['is an image']],
    [
      csv(',,2030-05-02 09:00', '2,Boats,soon'),
      ['Line 2: Session has no title; skipped.', 'Line 3: Session “Boats” starts at “soon”'],
    ],
  ] as const) {
    const options = { draft: 'false', source: 'workshops', partial: 'true' }
    const failed = await t.eva.submit('/console/import', plan, { ...(file && { file }), ...options })
    expect(failed.status).toBe(422)
    for (const sentence of sentences) expect(failed.words).toContain(sentence)
    expect(failed.text).toContain('value="workshops"')
    expect(failed.text).toMatch(/name="partial" value="true" checked/)
    expect(failed.text).toMatch(/name="draft" value="false" checked/)
  }
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { updateRecord } from '../server/domains/program/records.ts'
import { commandScope } from '../server/scope.ts'
import { type Cells, correct, exportRows, importFile, setCell } from './import-export.fixtures.ts'

// An exported list of events has the texts of rooms and speakers. Correcting these corrects the rooms and speakers.

/** Starts a server with a panel of three (1), a talk of its first speaker (2) and a lunch (3), all in one hall. */
async function startWithPanel() {
  const t = await startTestApp()
  const file = join(t.dataDir, 'program.csv')
  const rows = [
    'id,title,start,room,speaker 1,speaker 2,speaker 3,position,company,speaker 1 bio,speaker 2 bio,speaker 3 bio',
    'a,Panel,2030-05-02 09:00,Hall,Ana Cruz,"Day, Ben",Mia Ek,Chair; Fellow; Guide,Acme; Acme; Snow,Skis.,Sails.,Climbs.',
    'b,Talk,2030-05-02 10:00,Hall,Ana Cruz,,,Chair,Acme,Skis.,,',
    'c,Lunch,2030-05-02 12:00,Hall,,,,,,,,',
  ]
  await writeFile(file, rows.join('\n'))
  await runSummitInProcess(['import', 'program', file, '--apply'], t.settings)
  await t.ctx.database.transaction((tx) =>
    updateRecord(commandScope(t.ctx, tx, 'test'), 'room', 1, { capacity: 90, description: 'Upstairs' }),
  )
  return t
}

const biographies = { 'Ana Cruz': '<p>Skis.</p>', 'Day, Ben': '<p>Sails.</p>', 'Mia Ek': '<p>Climbs.</p>' }

const tell = ({ name, position, company, biography }: Cells) => [name, position, company, biography]
const panel = [
  ['Ana Cruz', 'Chair', 'Acme', biographies['Ana Cruz']],
  ['Day, Ben', 'Fellow', 'Acme', biographies['Day, Ben']],
  ['Mia Ek', 'Guide', 'Snow', biographies['Mia Ek']],
]

/** The speakers of a session in order, each with position, company and biography. */
async function speakersOf(t: TestApp, event: number) {
  const speakers = new Map((await exportRows(t, 'speakers')).map((row) => [row.id, row]))
  const links = (await exportRows(t, 'event-speakers')).filter(({ event_id }) => Number(event_id) === event)
  return links
    .toSorted((a, b) => Number(a.sort) - Number(b.sort))
    .map(({ speaker_id }) => tell(speakers.get(speaker_id ?? '') ?? {}))
}

/** Corrects cells, and asserts that they are stored as they are in the file. */
async function apply(t: TestApp, change: (rows: Cells[]) => Cells[]) {
  const { out } = await correct(t, 'events', change, '--apply')
  expect((await importFile(t, 'events', join(t.dataDir, 'list.csv'))).out).toContain('Nothing to do.')
  return out
}

describe('a corrected export of the events', () => {
  test('renames a speaker whom no other session has, and leaves the others as they are', async () => {
    await using t = await startWithPanel()
    const out = await apply(t, setCell(1, { speaker: 'Ana Cruz, Day, Benedict, Mia Ek' }))
    expect(out).toContain('\n  speaker “Day, Benedict”: name “Day, Ben” → “Day, Benedict”\n')
    expect(await speakersOf(t, 1)).toEqual(panel.with(1, ['Day, Benedict', 'Fellow', 'Acme', '<p>Sails.</p>']))
    expect(await exportRows(t, 'speakers')).toHaveLength(3)
    await runSummitInProcess(['import', 'undo', '2', '--apply'], t.settings)
    expect(await speakersOf(t, 1)).toEqual(panel)
    expect((await exportRows(t, 'events'))[0]?.speaker).toBe('Ana Cruz, Day, Ben, Mia Ek')
  })

  test('gives a session another speaker in place of one who has other sessions', async () => {
    await using t = await startWithPanel()
    const out = await apply(t, setCell(1, { speaker: 'Eva Ray, Day, Ben, Mia Ek' }))
    expect(out).toContain('\n  new speakers: 1\n')
    expect(await speakersOf(t, 1)).toEqual(panel.with(0, ['Eva Ray', 'Chair', 'Acme', '']))
    expect(await speakersOf(t, 2)).toEqual(panel.slice(0, 1))
  })

  test('renames a speaker in all sessions if each has the same correction', async () => {
    await using t = await startWithPanel()
    await apply(t, (rows) =>
      rows.map((row) => ({ ...row, speaker: row.speaker?.replace('Ana Cruz', 'Ana Cruz-Ek') ?? '' })),
    )
    const renamed = ['Ana Cruz-Ek', 'Chair', 'Acme', '<p>Skis.</p>']
    expect([await speakersOf(t, 1), await speakersOf(t, 2)]).toEqual([panel.with(0, renamed), [renamed]])
    expect(await exportRows(t, 'speakers')).toHaveLength(3)
  })

  test('corrects positions and companies one by one', async () => {
    await using t = await startWithPanel()
    await apply(t, setCell(1, { position: 'Chair, Dean, Guide', company: 'Acme, Ice' }))
    const corrected = panel.with(1, ['Day, Ben', 'Dean', 'Acme', '<p>Sails.</p>'])
    expect(await speakersOf(t, 1)).toEqual(corrected.with(2, ['Mia Ek', 'Guide', 'Ice', '<p>Climbs.</p>']))
    await apply(t, setCell(2, { position: 'Host, MC' }))
    expect(await speakersOf(t, 2)).toEqual([['Ana Cruz', 'Host, MC', 'Acme', '<p>Skis.</p>']])
    expect((await speakersOf(t, 1))[0]).toEqual(panel[0])
  })

  test('adds, removes and reorders speakers', async () => {
    await using t = await startWithPanel()
    await apply(t, setCell(3, { speaker: 'Eva Ray; Kai Ost' }))
    expect(await speakersOf(t, 3)).toEqual([
      ['Eva Ray', '', '', ''],
      ['Kai Ost', '', '', ''],
    ])
    await apply(t, setCell(1, { speaker: 'Mia Ek, Ana Cruz', position: 'Guide, Chair', company: 'Snow, Acme' }))
    expect(await speakersOf(t, 1)).toEqual([panel[2], panel[0]])
    await apply(t, setCell(1, { speaker: 'Mia Ek, Eva Ray, Ana Cruz' }))
    expect(await speakersOf(t, 1)).toEqual([panel[2], ['Eva Ray', '', '', ''], panel[0]])
  })

  test('makes one of several speakers if it is unclear whose a position is, and says so', async () => {
    await using t = await startWithPanel()
    const out = await apply(t, setCell(1, { position: 'Panel' }))
    expect(out).toContain(
      'line 2: The speakers of session “Panel” become one, as it is unclear whose each position and',
    )
    expect(await speakersOf(t, 1)).toEqual([['Ana Cruz, Day, Ben, Mia Ek', 'Panel', 'Acme, Snow', '']])
  })

  test('gives a session a room like its own if only the address is another', async () => {
    await using t = await startWithPanel()
    await apply(t, setCell(1, { location_address: '1 Main St' }))
    const [old, added] = await exportRows(t, 'rooms')
    expect([old, added]).toMatchObject([
      { id: 1, address: '', capacity: 90 },
      { name: 'Hall', address: '1 Main St', capacity: 90, description: 'Upstairs' },
    ])
    expect((await exportRows(t, 'events')).map(({ room_id }) => room_id)).toEqual([added?.id, old?.id, old?.id])
    await apply(t, setCell(2, { location_name: 'Garden' }))
    expect((await exportRows(t, 'rooms'))[2]).toMatchObject({ name: 'Garden', capacity: 0, description: '' })
  })

  test('corrects a room if all its sessions have the same correction', async () => {
    await using t = await startWithPanel()
    const out = await apply(t, (rows) => rows.map((row) => ({ ...row, location_address: '1 Main St', venue: 'West' })))
    expect(out).toContain('\n  room “West”: name “Hall” → “West”, building none → “Hall”, address none → “1 Main St”\n')
    expect(await exportRows(t, 'rooms')).toMatchObject([
      { id: 1, name: 'West', building: 'Hall', address: '1 Main St', capacity: 90, description: 'Upstairs' },
    ])
  })

  test('corrects what a session has beside its texts, rooms and speakers', async () => {
    await using t = await startWithPanel()
    const texts = { subtitle: 'On ice', type: 'Talk', code: 'AB12CD', slug: 'on-ice', license: 'CC0' }
    const out = await apply(
      t,
      setCell(2, { ...texts, language: 'German', tags: '["ice", "snow"]', do_not_record: 'yes' }),
    )
    expect(out).toContain(
      'subtitle none → “On ice”, type none → “Talk”, language none → “de”, tags, code none → “AB12CD”',
    )
    const corrected = { ...texts, language: 'de', tags: '["ice","snow"]', do_not_record: 1 }
    expect((await exportRows(t, 'events'))[1]).toMatchObject(corrected)
    await apply(t, setCell(2, { subtitle: '', language: '', tags: '', do_not_record: '0' }))
    expect((await exportRows(t, 'events'))[1]).toMatchObject({
      subtitle: '',
      language: '',
      tags: '[]',
      do_not_record: 0,
    })
  })

  test('skips a row with a language or tags that cannot be used', async () => {
    await using t = await startWithPanel()
    const edit = (rows: Cells[]) => setCell(1, { language: 'Klingonese' })(setCell(2, { tags: 'ice, snow' })(rows))
    const { out } = await correct(t, 'events', edit, '--apply')
    expect(out).toContain('line 2: Session “Panel”: the language “Klingonese” is not known; row skipped.')
    expect(out).toContain(
      'line 3: Session “Talk”: the tags “ice, snow” are not a list such as ["ice","snow"]; row skipped.',
    )
  })

  test('gives a new session the guid in its row, unless another session has it', async () => {
    await using t = await startWithPanel()
    const guid = '5f0c8e4e-96b1-4d1e-8a55-0d7c2d7f0f11'
    const added = (title: string) => ({ id: '', source_key: '', title, guid })
    await apply(t, (rows) => [...rows, { ...rows[2], ...added('Dinner') }, { ...rows[2], ...added('Party') }])
    const guids = (await exportRows(t, 'events')).map((row) => row.guid)
    expect([guids[3], new Set(guids).size]).toEqual([guid, 5])
  })

  test('names the columns with changed cells that are not imported', async () => {
    await using t = await startWithPanel()
    const links = '[{"rel":"page","title":"","url":"https://x.example/"}]'
    const { out } = await correct(
      t,
      'events',
      setCell(1, { room_id: '7', track_id: '2', links, guid: 'new' }),
      '--apply',
    )
    expect(out).toContain(
      'Not imported, and how often it is in the file: “guid” 1 (only new sessions get one), “room_id” 1 (the room follows ' +
        'location_name, location_address and venue), “track_id” 1 (import the file of the program), “links” 1 (import the file of the program)',
    )
    expect(out).toContain('Nothing to do.')
  })
})

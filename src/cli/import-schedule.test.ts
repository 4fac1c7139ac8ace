import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { readInventedProgram } from '../server/domains/import/formats/programs.fixtures.ts'
import { exportRows } from './import-export.fixtures.ts'

/** Imports the invented conference from its `schedule.json` or `schedule.xml`. @returns what the command prints */
async function importSchedule(t: TestApp, extension: 'json' | 'xml', text?: string) {
  const file = join(t.dataDir, `schedule.${extension}`)
  await writeFile(file, text ?? readInventedProgram(`frab schedule.${extension}`))
  const { code, out } = await runSummitInProcess(['import', 'program', file, '--apply'], t.settings)
  expect(code).toBe(0)
  return out
}

test('the rooms, tracks, people and sessions of a schedule.json are stored with all that it says of them', async () => {
  await using t = await startTestApp()
  const out = await importSchedule(t, 'json')
  expect(out).toContain('new rooms: 3\n')
  expect(out).toContain('conference: title none → “Alpine Makers Days”')
  expect(out).toContain('minutes of a slot none → “15”')

  expect(await exportRows(t, 'conference')).toMatchObject([
    {
      ...{ title: 'Alpine Makers Days', acronym: 'makers31', url: 'https://makers.example/2031/' },
      ...{ time_zone: 'Europe/Zurich', first_day: '2031-02-14', last_day: '2031-02-15', slot_minutes: 15 },
    },
  ])
  const rooms = await exportRows(t, 'rooms')
  expect(rooms.toSorted((a, b) => Number(a.sort) - Number(b.sort))).toMatchObject([
    { name: 'Lärche', capacity: 24, description: 'Werkraum im Keller' },
    { name: 'Gletscher', capacity: 180, description: 'The large hall' },
    { name: 'Terrasse', capacity: 0, description: '' },
  ])
  const tracks = await exportRows(t, 'tracks')
  expect(tracks).toMatchObject([
    { name: 'Build & Repair', color: '#0a7e5c' },
    { name: 'Sky', color: '#2244ff' },
  ])
  const speakers = await exportRows(t, 'speakers')
  expect(speakers).toHaveLength(7)
  expect(speakers.find(({ name }) => name === 'Mira Solari')).toMatchObject({
    guid: '04a4c523-ea7b-5484-9b5a-052dc23ae24b',
    biography: '<p>Mira <em>builds</em> boats.</p><p>And bridges.</p>',
    photo: 'https://talks.example/media/mira.jpg',
  })
  const events = await exportRows(t, 'events')
  expect(events.find(({ title }) => title === 'Snow, Measured')).toMatchObject({
    ...{ guid: '8f5bc16d-a582-5ed3-9143-ac2bcaf6b45f', code: 'SNOW01', slug: 'makers31-snow' },
    ...{ room_id: rooms.find(({ name }) => name === 'Gletscher')?.id, track_id: tracks[1]?.id },
    ...{ type: 'Talk', language: 'en', license: 'CC BY 4.0', do_not_record: 0 },
    links: expect.stringContaining(
      '{"rel":"attachment","title":"Slides","url":"https://makers.example/media/snow.pdf"}',
    ),
  })
  expect(events.find(({ title }) => title === 'Opening & Welcome')).toMatchObject({
    language: 'de, en',
    speaker: 'Mira Solari, Jon Bergé',
  })
})

test('importing a schedule again, also from its other format, changes nothing', async () => {
  await using t = await startTestApp()
  await importSchedule(t, 'json')
  for (const extension of ['json', 'xml', 'json'] as const)
    expect(await importSchedule(t, extension)).toContain('Nothing to do.')
})

test('what a schedule.json says beyond its schedule.xml is added to the same rooms and people', async () => {
  await using t = await startTestApp()
  await importSchedule(t, 'xml')
  expect(await exportRows(t, 'rooms')).toMatchObject([{ name: 'Gletscher', capacity: 0 }, { name: 'Lärche' }])
  const out = await importSchedule(t, 'json')
  expect(out).toContain('room “Gletscher”: capacity none → “180”, description')
  expect(out).toContain('speaker “Mira Solari”: biography, photo, links')
  expect(out).toMatch(/unchanged +12\n/)
  expect(await exportRows(t, 'speakers')).toHaveLength(7)
})

test('a person of a new name and a room of a new name are the same by their ids', async () => {
  await using t = await startTestApp()
  await importSchedule(t, 'json')
  const renamed = readInventedProgram('frab schedule.json')
    .replaceAll('Mira Solari', 'Mira Solari-Keller')
    .replaceAll('"Gletscher"', '"Großer Saal"')
  expect(await importSchedule(t, 'json', renamed)).toContain('name “Mira Solari” → “Mira Solari-Keller”')
  expect(await exportRows(t, 'speakers')).toHaveLength(7)
  expect((await exportRows(t, 'rooms')).map(({ name }) => name)).toEqual(['Lärche', 'Großer Saal', 'Terrasse'])
  const { events } = await t.client.listEvents({ offset: 0, limit: 100 })
  expect(events.find(({ title }) => title === 'Opening & Welcome')?.location.name).toBe('Großer Saal')
})

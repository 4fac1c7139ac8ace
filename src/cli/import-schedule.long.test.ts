import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { findSharedData } from '../../test/shared-data.ts'
import { exportRows } from './import-export.fixtures.ts'

const file = findSharedData('data/39c3.schedule.json')

test.skipIf(!file)('39C3 is stored with all its rooms, tracks, people and links, and once only', async () => {
  await using t = await startTestApp()
  const importIt = () => runSummitInProcess(['import', 'program', file ?? '', '--apply'], t.settings)
  expect((await importIt()).out).toContain('Done.')

  const rooms = await exportRows(t, 'rooms')
  const tracks = await exportRows(t, 'tracks')
  const speakers = await exportRows(t, 'speakers')
  const events = await exportRows(t, 'events')
  const countOf = (rows: Record<string, unknown>[], ...columns: string[]) =>
    columns.map(
      (column) => rows.filter((row) => row[column] !== '' && row[column] !== 0 && row[column] !== null).length,
    )
  expect(countOf(rooms, 'id', 'guid', 'capacity', 'description')).toEqual([58, 58, 52, 39])
  expect(countOf(tracks, 'id', 'color')).toEqual([9, 9])
  expect(countOf(speakers, 'id', 'guid', 'biography', 'photo')).toEqual([709, 709, 447, 277])
  expect(await exportRows(t, 'event-speakers')).toHaveLength(1001)
  expect(countOf(events, 'id', 'type', 'language', 'track_id', 'room_id')).toEqual([895, 895, 842, 236, 895])
  expect(countOf(events, 'guid', 'slug', 'code', 'do_not_record')).toEqual([895, 895, 348, 45])
  const links = events.flatMap((event) => JSON.parse(event.links ?? '') as { rel: string }[])
  const byRelation = Map.groupBy(links, ({ rel }) => rel)
  expect(Object.fromEntries([...byRelation].map(([rel, { length }]) => [rel, length]))).toEqual({
    ...{ page: 895, origin: 452, feedback: 181, attachment: 19, related: 15 },
  })
  expect((await exportRows(t, 'conference'))[0]).toMatchObject({ acronym: '39c3', slot_minutes: 10 })

  expect((await importIt()).out).toContain('Nothing to do.')
})

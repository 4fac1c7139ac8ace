import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { findSharedData } from '../../test/shared-data.ts'
import { exportRows } from './import-export.fixtures.ts'

const file = findSharedData('data/scottish-summit.sessionize.json')

test.skipIf(!file)('a program of Sessionize is stored with its people, rooms and tracks, and once only', async () => {
  await using t = await startTestApp()
  const importIt = () => runSummitInProcess(['import', 'program', file ?? '', '--apply'], t.settings)
  const { code, out } = await importIt()
  expect([code, out]).toEqual([0, expect.stringMatching(/new rooms: 7\n {2}new tracks: 6\n {2}new speakers: 76\n/)])

  const speakers = await exportRows(t, 'speakers')
  expect(speakers).toHaveLength(76)
  expect(speakers.filter(({ photo }) => photo?.startsWith('https://'))).toHaveLength(76)
  // One of them wrote none.
  expect(speakers.filter(({ biography }) => biography?.startsWith('<p>'))).toHaveLength(75)
  expect(speakers.filter(({ links }) => links !== '[]')).toHaveLength(74)
  const inOrder = (rows: Record<string, unknown>[]) =>
    rows.toSorted((a, b) => Number(a.sort) - Number(b.sort)).map(({ name }) => name)
  expect(inOrder(await exportRows(t, 'rooms'))).toEqual([
    ...['Presidents Suite 1 (150)', 'Presidents Suite 2 (150)', 'Moncreiff 1 (33)', 'Moncreiff 2 (33)'],
    ...['Moncreiff 3 (33)', 'Cap & Thistle (100)', 'Centenary Club (100)'],
  ])
  expect(inOrder(await exportRows(t, 'tracks'))).toEqual([
    ...[
      'Inclusion & Personal Development',
      'Copilot + Agents',
      'Security',
      'Azure',
      'M365',
      'Dynamics & Power Platform',
    ],
  ])
  const events = await exportRows(t, 'events')
  expect(events).toHaveLength(61)
  expect(events.filter(({ track_id, room_id }) => track_id && room_id)).toHaveLength(61)
  expect(events.find(({ title }) => title === 'Designing Intelligent Tool-Driven Agents')).toMatchObject({
    ...{ type: '45 min theatre session', tags: '["300 - Advanced"]' },
  })

  expect((await importIt()).out).toContain('Nothing to do.')
})

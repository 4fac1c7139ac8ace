import { expect } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import { programFiles } from '../../../contract/program-export.ts'
import type { EventId, RoomId, SpeakerId, TrackId } from '../../core/ids.ts'
import { addEvent, cancelEvent } from '../program/events.ts'
import { sanitizeHtml } from '../program/html.ts'
import { addRecord } from '../program/records.ts'

/** The files with events. */
export const eventFiles = programFiles.filter((file) => file !== 'releases.atom')

/** A conference with a workshop of two people, a party after midnight that is cancelled, and an event without a time. */
export async function addConference(t: TestApp): Promise<void> {
  await inCommand(t, async (scope) => {
    await addRecord(scope, 'conference', {
      ...{ title: 'Summit 2030', acronym: 'smt', url: 'https://summit.example/2030', time_zone: 'Europe/Berlin' },
      ...{ first_day: '2030-05-02', last_day: '2030-05-02', slot_minutes: 10 },
    })
    const hall = { name: 'Hall 1', building: 'Congress Centre', address: '1 Summit Street', capacity: 300, sort: 2 }
    const room_id = (await addRecord(scope, 'room', { ...hall, guid: uuidOf('a1'), description: 'By lift' })) as RoomId
    const bar = (await addRecord(scope, 'room', { name: 'Bar', building: null, guid: uuidOf('a2') })) as RoomId
    const track_id = (await addRecord(scope, 'track', { name: 'Security', color: '#0b57d0' })) as TrackId
    const ana = {
      ...{ name: 'Ana Cruz', position: 'Engineer', company: 'Summit Inc.', guid: uuidOf('b1') },
      ...{ biography: sanitizeHtml('<p>Builds bridges.</p>'), photo: 'https://photos.example/ana.jpg' },
      links: JSON.stringify([{ title: 'Blog', url: 'https://ana.example/' }]),
    }
    const speakers = [
      (await addRecord(scope, 'speaker', ana)) as SpeakerId,
      (await addRecord(scope, 'speaker', { name: 'Ben', guid: uuidOf('b2') })) as SpeakerId,
    ]
    const links = [
      { rel: 'page', title: '', url: 'https://summit.example/2030/workshop' },
      { rel: 'feedback', title: '', url: 'https://summit.example/2030/feedback' },
      { rel: 'recording', title: '', url: 'https://media.example/workshop' },
      { rel: 'attachment', title: 'Slides', url: 'https://summit.example/slides.pdf' },
      { rel: 'related', title: 'Wiki', url: 'https://wiki.example/' },
    ]
    await addEvent(
      scope,
      {
        ...{
          title: 'Workshop',
          subtitle: 'By hand',
          guid: uuidOf('c1'),
          program_date: '2030-05-02',
          room_id,
          track_id,
        },
        ...{
          program_time: '09:00:00',
          date_from: '2030-05-02 09:00:00',
          date_to: '2030-05-02 10:30:00',
          type: 'workshop',
          language: 'de',
        },
        ...{ tags: '["beginners","tools"]', links: JSON.stringify(links), code: 'ABC123', slug: 's2030-1-workshop' },
        ...{ license: 'CC BY 4.0', do_not_record: 1, banner: 'program/1/banner-1.jpg', speakers },
        description: sanitizeHtml('<p>What it is: <a href="https://tools.example/">tools</a></p>'),
        details: sanitizeHtml('<ul><li>One</li><li>Two &amp; three</li></ul>'),
      },
      [],
    )
    const night = {
      date_from: '2030-05-03 00:30:00',
      date_to: '2030-05-03 02:00:00',
      program_date: '2030-05-02',
      program_time: '00:30:00',
    }
    await addEvent(scope, { title: 'Party', guid: uuidOf('c2'), ...night, room_id: bar }, [])
    await addEvent(scope, { title: 'To be announced', guid: uuidOf('c3') }, [])
    await cancelEvent(scope, 2 as EventId)
  })
}

export const uuidOf = (end: string): string => `c7b2b7b0-0000-4000-8000-${end.padStart(12, '0')}`

/** Reads a file of the program. */
export async function readFile(t: TestApp, file: string): Promise<string> {
  const response = await fetch(`${t.url}/api/program/export/${file}`)
  const text = await response.text()
  expect(response.headers.get('etag'), text.slice(0, 500)).toMatch(/^"[\da-f]{32}"$/)
  return text
}

import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { startTestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import type { Client } from '../../../client/client.ts'
import type { EventId } from '../../core/ids.ts'
import { addEvent, updateEvent } from '../program/events.ts'
import { addRecord } from '../program/records.ts'
import { recordRevision } from '../revisions/record-revision.ts'
import { undoRevision } from '../revisions/undo.ts'
import { addConference, readFile, uuidOf } from './export-program.fixtures.ts'

/** The lines of a calendar, unfolded. */
const linesOf = (calendar: string): string[] => calendar.replaceAll('\r\n ', '').split('\r\n')

test('an attendee subscribes to a calendar with every event, cancelled ones included', async () => {
  await using t = await startTestApp()
  await addConference(t)
  expect(linesOf(await readFile(t, 'schedule.ics'))).toEqual([
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Summit//Program//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
    ...['X-WR-CALNAME:Summit 2030', 'X-WR-TIMEZONE:Europe/Berlin'],
    ...['BEGIN:VEVENT', `UID:${uuidOf('c1')}`, expect.stringMatching(/^DTSTAMP:20300501T\d{6}Z$/)],
    expect.stringMatching(/^LAST-MODIFIED:20300501T\d{6}Z$/),
    'SEQUENCE:0',
    ...['DTSTART:20300502T070000Z', 'DTEND:20300502T083000Z', 'SUMMARY:Workshop', 'STATUS:CONFIRMED'],
    String.raw`LOCATION:Hall 1\, Congress Centre\, 1 Summit Street`,
    String.raw`DESCRIPTION:By hand\n\nAna Cruz\, Ben\n\nWhat it is: tools (https://tools.example/)\n\n- One\n- Two & three`,
    ...['URL:https://summit.example/2030/workshop', 'CATEGORIES:Security,workshop,beginners,tools', 'END:VEVENT'],
    ...['BEGIN:VEVENT', `UID:${uuidOf('c2')}`, expect.any(String), expect.any(String), 'SEQUENCE:1'],
    ...['DTSTART:20300502T223000Z', 'DTEND:20300503T000000Z', 'SUMMARY:Party', 'STATUS:CANCELLED'],
    ...['LOCATION:Bar', 'END:VEVENT', 'END:VCALENDAR', ''],
  ])
})

test.each([
  ['room=1', ['Workshop'], 'Summit 2030: Hall 1'],
  ['room=2', ['Party'], 'Summit 2030: Bar'],
  ['track=1', ['Workshop'], 'Summit 2030: Security'],
  ['speaker=2', ['Workshop'], 'Summit 2030: Ben'],
  ['room=2&track=1', [], String.raw`Summit 2030: Bar\, Security`],
  ['events=2', ['Party'], 'Summit 2030'],
  ['events=2,1,1,3,99', ['Workshop', 'Party'], 'Summit 2030'],
  ['events=99', [], 'Summit 2030'],
])('a calendar of %s has %j', async (filter, titles, name) => {
  await using t = await startTestApp()
  await addConference(t)
  const lines = linesOf(await readFile(t, `schedule.ics?${filter}`))
  expect(lines.flatMap((line) => /^SUMMARY:(.*)$/.exec(line)?.[1] ?? [])).toEqual(titles)
  expect(lines).toContain(`X-WR-CALNAME:${name}`)
})

test('no text ends its line, and no line is longer than 75 bytes', async () => {
  await using t = await startTestApp()
  const text = 'a\r\nEND:VEVENT\rATTENDEE:b\nc,d;e\\f\u0000\u0001\u2028"👩🏽‍🚀'
  const hostile = text.replace('\u0000', '') + '👩🏽‍🚀'.repeat(20) + 'שלום '.repeat(30)
  await inCommand(t, (scope) => addRecord(scope, 'conference', { title: hostile }))
  const track_id = await make.track(t, { name: hostile })
  const links = JSON.stringify([{ rel: 'page', title: '', url: 'https://a.example/\r\nATTENDEE:mailto:b@c.example' }])
  const texts = { title: hostile, subtitle: hostile, location_name: hostile, speaker: hostile, type: hostile }
  await make.event(t, { ...texts, tags: JSON.stringify([hostile, `${hostile}2`]), track_id, links })
  const calendar = await readFile(t, 'schedule.ics')
  const lines = calendar.split('\r\n')
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
  expect(calendar.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u)
  const names = linesOf(calendar).map((line) => /^[\w-]*/.exec(line)?.[0])
  expect(names).toEqual([
    ...['BEGIN', 'VERSION', 'PRODID', 'CALSCALE', 'METHOD', 'X-WR-CALNAME', 'X-WR-TIMEZONE', 'BEGIN', 'UID', 'DTSTAMP'],
    ...[
      'LAST-MODIFIED',
      'SEQUENCE',
      'DTSTART',
      'DTEND',
      'SUMMARY',
      'STATUS',
      'LOCATION',
      'DESCRIPTION',
      'URL',
      'CATEGORIES',
    ],
    ...['END', 'END', ''],
  ])
  // A character is never cut.
  expect(calendar.replaceAll('\r\n ', '')).toContain('👩🏽‍🚀'.repeat(20))
})

test('an event that does not say when it ends has no end', async () => {
  await using t = await startTestApp()
  await make.event(t, { date_to: null })
  await make.event(t, { date_to: '2030-05-02 09:00:00' })
  expect(await readFile(t, 'schedule.ics')).not.toContain('DTEND')
})

test('the sequence of an event rises with each publication and undo, and never falls', async () => {
  await using t = await startAppWithKeys('public')
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  let last = -1
  /** A calendar takes an event for another version only if its sequence is higher. */
  const expectRise = async (text: RegExp) => {
    const calendar = await readFile(t, 'schedule.ics')
    expect(calendar).toMatch(text)
    const sequence = Number(/^SEQUENCE:(\d+)/m.exec(calendar)?.[1])
    expect(sequence).toBeGreaterThan(last)
    last = sequence
  }
  const undo = async (id: number) => Number((await editor.undoRevision({ id })).revision_id)
  const publish = async () => Number((await editor.publish({})).revision_id)
  const time = '2030-05-02 09:00'
  const id = Number((await editor.createEvent({ title: 'Small boats', starts_at: time })).event.id)
  const first = await publish()
  await expectRise(/SUMMARY:Small boats/)
  await editor.updateEvent({ id, revision: first, is_cancelled: true })
  const second = await publish()
  await expectRise(/STATUS:CANCELLED/)
  await undo(await undo(second))
  await expectRise(/STATUS:CANCELLED/)
  await undo(await newest(editor))
  await expectRise(/STATUS:CONFIRMED/)
  await editor.updateEvent({ id, revision: (await newest(editor)) as number, title: 'Boats' })
  expect(await readFile(t, 'schedule.ics')).toContain(`SEQUENCE:${last}\r\n`)
  await publish()
  await expectRise(/SUMMARY:Boats/)
})

const newest = async (editor: Client) => Number((await editor.listRevisions({ offset: 0, limit: 1 })).revisions[0]?.id)

test('an event that an undo removes, and another undo returns, has a higher sequence than before', async () => {
  await using t = await startTestApp()
  const id = await inCommand(t, async (scope) => {
    const write = () => addEvent(scope, { title: 'Knots', date_from: '2030-05-02 09:00:00' }, [])
    await recordRevision(scope, { kind: 'import', command: 'import program' }, [
      { kind: 'event', id: undefined, write },
    ])
    return 1 as EventId
  })
  const undo = (revisionId: number) =>
    inCommand(t, (scope) => undoRevision(scope, { revisionId, command: 'import undo', keepChanged: false }))
  const rename = async (title: string) => {
    await inCommand(t, async (scope) => {
      const write = async () => {
        await updateEvent(scope, id, { title })
        return id
      }
      await recordRevision(scope, { kind: 'import', command: 'import program' }, [{ kind: 'event', id, write }])
    })
  }
  await rename('Sails')
  await undo(2)
  const sequence = Number(/^SEQUENCE:(\d+)/m.exec(await readFile(t, 'schedule.ics'))?.[1])
  await undo(1)
  await undo(4)
  expect(Number(/^SEQUENCE:(\d+)/m.exec(await readFile(t, 'schedule.ics'))?.[1])).toBeGreaterThan(sequence)
})

import Type from 'typebox'
import { Id, operation, record } from './operation.ts'

// Additions to the interface specification: the program as files, for calendars, other apps and spreadsheets.

/** The files. */
export const programFiles = [
  ...(['schedule.xml', 'schedule.json', 'schedule.ics'] as const),
  ...(['all.json', 'gridsmart.json', 'sessions.csv', 'releases.atom'] as const),
] as const

export type ProgramFileName = (typeof programFiles)[number]

/** The most events that a calendar may list. */
export const maxListedEvents = 200

export const programExport = {
  exportProgram: operation({
    method: 'GET',
    path: '/api/program/export/{file}',
    tag: 'Program',
    summary: 'Read the program as a file for other software',
    description: 'Returns the file, with `ETag`. Events without a time are not in it.',
    access: { readers: 'anyone' },
    ofRecords: true,
    params: record({
      file: Type.String({ description: `One of ${programFiles.join(', ')}.`, examples: ['schedule.xml'] }),
    }),
    query: Type.Partial(
      record({
        room: Id('room', 'Only for `schedule.ics`: the events in this room.'),
        track: Id('track', 'Likewise, the events of this track.'),
        speaker: Id('speaker', 'Likewise, the events of this speaker.'),
        events: Type.String({
          description: `Likewise, the events with these ids, at most ${maxListedEvents}, separated by commas.`,
          examples: ['1,7,12'],
        }),
      }),
      { additionalProperties: false },
    ),
    fails: ['FILE_NOT_FOUND', 'ROOM_NOT_FOUND', 'TRACK_NOT_FOUND', 'SPEAKER_NOT_FOUND'],
  }),
  readOwnCalendar: operation({
    method: 'GET',
    path: '/api/me/calendar.ics',
    tag: 'Me',
    summary: 'Read the events that I have starred as a calendar',
    description:
      'Returns an iCalendar file, with `ETag`. Events without a time are not in it. To subscribe to it in a calendar app, use ' +
      'a secret URL.',
    access: { own: 'participants', atSecretUrl: true },
    ofRecords: true,
    params: record({}),
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
}

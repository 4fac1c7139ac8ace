import type { TestApp } from '../../../../../test/app.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { commandScope, type WriteScope } from '../../../scope.ts'
import { sanitizeHtml } from '../../program/html.ts'
import { parseProgram } from '../formats/detect.ts'
import type { SourceConference, SourceRoom, SourceSpeaker } from '../source.ts'
import { importSessions } from './program-import.fixtures.ts'
import { loadParts } from './program-parts-plan.ts'

export interface Mention {
  name: string
  position?: string
  company?: string
  key?: string
  guid?: string
}

/** Sessions with one speaker each, an hour after each other. */
export const sessionsOf = (mentions: readonly Mention[]) => {
  const rows = mentions.map(
    (_, at) => `s${at},Talk ${at},2030-05-0${1 + Math.floor(at / 20)} ${10 + (at % 10)}:00,Hall`,
  )
  const { sessions } = parseProgram(['id,title,start,room', ...rows].join('\n'), 'p.csv', defaultLimits)
  return sessions.map((session, at) => ({ ...session, speakers: [toSpeaker(mentions[at])] }))
}

export const toSpeaker = (mention: Mention = { name: '' }): SourceSpeaker => ({
  ...{ position: '', company: '', key: '', guid: '', biography: sanitizeHtml(''), photo: '', links: [] },
  ...mention,
})

export const importMentions = (t: TestApp, mentions: readonly Mention[]) =>
  importSessions(t, 'program', sessionsOf(mentions))

/** The speaker of each session, with position and company. */
export async function speakersSeen(t: TestApp) {
  const { events } = await t.client.listEvents({ offset: 0, limit: 100 })
  const programs = await Promise.all(
    events.map(async ({ id }) => (await t.client.getEvent({ id: Number(id) })).programs),
  )
  return programs.map(({ speaker, position, company }) => [speaker, position, company].filter(Boolean).join(', '))
}

export const speakerRows = async (t: TestApp) => (await loadParts(t.ctx.database.read)).speaker

/** A CSV file with these rooms and sessions. */
export const fileOf = (
  rows: readonly string[],
  rooms: Partial<SourceRoom>[] = [],
  conference?: Partial<SourceConference>,
) => {
  const { sessions } = parseProgram(['id,title,start,room', ...rows].join('\n'), 'p.csv', defaultLimits)
  const unknown = { title: '', acronym: '', url: '', timeZone: '', firstDay: '', lastDay: '', slotMinutes: 0 }
  return {
    sessions,
    rooms: rooms.map((room) => ({ name: '', key: '', guid: '', capacity: 0, description: '', ...room })),
    tracks: [],
    ...(conference && { conference: { ...unknown, ...conference } }),
  }
}

export const write = (t: TestApp, change: (scope: WriteScope) => Promise<unknown>) =>
  t.ctx.database.transaction((tx) => change(commandScope(t.ctx, tx, 'test')))

export const opening = 'a,Opening,2030-05-01 09:00,'

export const boats = 'b,Boats,2030-05-01 10:00,'

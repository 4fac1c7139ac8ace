import type { Overview } from '../../../../contract/overview.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { dateRange, momentFormatter } from '../dates.ts'
import type { ConsoleRequest } from './console.ts'
import { idOf } from './notices.ts'

const { checks: words, links, size } = consoleText.overview

/** `unneeded` and `done` leave nothing to do. */
export type CheckState = keyof typeof consoleText.overview.states

/** Something that is right before the conference begins, or is not. */
export interface Check {
  state: CheckState
  sentence: string
  /** Where it is mended, for those who may use the operation. Without one, only whoever runs the server can mend it. */
  mend?: { path: string; label: string; operation: Parameters<ConsoleRequest['mayUse']>[0] }
}

const atSettings = (field: string, label: string) =>
  ({ path: `/console/settings#${idOf(field)}`, label, operation: 'updateConference' }) as const

const done = (sentence: string): Check => ({ state: 'done', sentence })

/** What has to be right, each with what it is like, in the order in which it is best mended. */
export const checksOf = ({ conference, program, mail, access, backup }: Overview): Check[] => [
  ...conferenceChecks(conference),
  ...programChecks(program),
  mailCheck(mail, access),
  accessCheck(access),
  backupCheck(backup, conference.time_zone),
]

function conferenceChecks(conference: Overview['conference']): Check[] {
  const { title, first_day, last_day, has_days, time_zone, has_time_zone } = conference
  const days = first_day !== null && last_day !== null ? dateRange(first_day, last_day) : undefined
  return [
    title === ''
      ? { state: 'todo', sentence: words.noName, mend: atSettings('title', links.name) }
      : done(words.name(title)),
    days === undefined
      ? { state: 'todo', sentence: words.noDays, mend: atSettings('first_day', links.days) }
      : done(has_days ? words.days(days) : words.daysOfSessions(days)),
    has_time_zone
      ? done(words.zone(time_zone))
      : { state: 'todo', sentence: words.noZone(time_zone), mend: atSettings('time_zone', links.zone) },
  ]
}

/** Without sessions, there is nothing more to be said of the program. */
function programChecks(program: Overview['program']): Check[] {
  const { events, published, rooms, rooms_without_name, clashes, without_time, without_room, linked_photos } = program
  if (events + published === 0) {
    const mend = { path: '/console/import', label: links.import, operation: 'planImport' } as const
    return [{ state: 'todo', sentence: words.noSessions, mend }]
  }
  const atRooms = { path: '/console/rooms', label: links.rooms, operation: 'setRooms' } as const
  const unplaced = [
    ...(without_time > 0 ? [sessionsIn('timeless', 'todo', words.timeless(without_time))] : []),
    ...(without_room > 0 ? [sessionsIn('roomless', 'todo', words.roomless(without_room))] : []),
  ]
  return [
    rooms === 0
      ? { state: 'todo', sentence: words.noRooms, mend: atRooms }
      : rooms_without_name > 0
        ? { state: 'todo', sentence: words.namelessRooms(rooms_without_name), mend: atRooms }
        : done(words.rooms(rooms)),
    ...(unplaced.length > 0 ? unplaced : [done(words.placed)]),
    clashes > 0 ? sessionsIn('clash', 'warning', words.clashes(clashes)) : done(words.noClashes),
    linked_photos > 0
      ? {
          state: 'warning',
          sentence: words.linkedPhotos(linked_photos),
          mend: { path: '/console/speakers?show=elsewhere', label: links.speakers, operation: 'getDraft' },
        }
      : done(words.photos),
    publishedCheck(program),
  ]
}

/** One that the list of sessions shows. */
const sessionsIn = (filter: 'timeless' | 'roomless' | 'clash', state: CheckState, sentence: string): Check => {
  const label = filter === 'clash' ? links.clashes : links[filter]
  return { state, sentence, mend: { path: `/console/sessions?state=${filter}`, label, operation: 'getDraft' } }
}

function publishedCheck({ published, new: added, changed, removed }: Overview['program']): Check {
  const mend = { path: '/console/publish', label: links.publish, operation: 'publish' } as const
  if (published === 0) return { state: 'todo', sentence: words.neverPublished, mend }
  if (added + changed + removed === 0) return done(words.published(published))
  const parts = [
    ...(added > 0 ? [words.newSessions(added)] : []),
    ...(changed > 0 ? [words.changedSessions(changed)] : []),
    ...(removed > 0 ? [words.removedSessions(removed)] : []),
  ]
  return { state: 'todo', sentence: words.unpublished(parts.join(', ')), mend }
}

function mailCheck({ signs_in_participants }: Overview['mail'], { mode }: Overview['access']): Check {
  if (signs_in_participants) return done(words.mail)
  return { state: 'unneeded', sentence: mode === 'open' ? words.noMailInOpen : words.noMail }
}

function accessCheck({ mode, is_encrypted, is_local }: Overview['access']): Check {
  if (is_local) return { state: 'todo', sentence: words.localOnly }
  if (mode === 'open') return { state: 'warning', sentence: words.anyone }
  if (!is_encrypted) return { state: 'warning', sentence: words.unencrypted }
  return done(mode === 'public' ? words.public : words.members)
}

function backupCheck({ has_location, every_minutes, newest, is_late }: Overview['backup'], zone: string): Check {
  const isMade = has_location && every_minutes !== null
  if (!newest) {
    if (!has_location) return { state: 'todo', sentence: words.noBackup }
    return isMade
      ? { state: 'unknown', sentence: words.noBackupKnown }
      : { state: 'todo', sentence: words.neverBackedUp }
  }
  const say = isMade ? (is_late ? words.lateBackup : words.backup) : words.lastBackup
  const sentence = say(momentFormatter(zone)(newest.made_at), size(newest.bytes))
  return isMade && !is_late ? done(sentence) : { state: 'warning', sentence }
}

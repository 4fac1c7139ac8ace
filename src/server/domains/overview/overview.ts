import type { Overview } from '../../../contract/overview.ts'
import type { BackupConfig, Config } from '../../config/config.ts'
import { isTimeZone } from '../../config/formats.ts'
import { isLoopback } from '../../core/loopback.ts'
import { minuteMs } from '../../core/time-units.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { findDraftClashes, hasDays, showConference } from '../editing/draft.ts'
import { countParticipants } from '../participants/participants.ts'
import { isPublished, loadEditedEvents, readPatch, withDraft } from '../program/drafts.ts'
import { countSpeakers, listRecords } from '../program/records.ts'
import type { StoredEvent } from '../program/stored-events.ts'
import { findNewestBackup, isBackupLate } from './newest-backup.ts'

/** Reads the state of the summit from counts and settings: its program, people, mail, access and backups. */
export async function readOverview(scope: Scope, config: Config): Promise<Overview> {
  const { db } = scope
  const events = await loadEditedEvents(db)
  return {
    conference: await readConference(scope, events),
    program: await readProgram(db, events),
    participants: await countParticipants(db),
    mail: {
      can_send: config.mail !== undefined,
      signs_in_participants: config.mail !== undefined && config.access !== 'open',
    },
    access: readAccess(config),
    backup: await readBackup(scope, config.backup),
  }
}

async function readConference(scope: Scope, events: readonly StoredEvent[]): Promise<Overview['conference']> {
  const [stored] = await listRecords(scope.db, 'conference')
  const { title, first_day, last_day, time_zone } = showConference(scope, stored, events)
  const has_time_zone = stored !== undefined && isTimeZone(stored.time_zone)
  return { title, first_day, last_day, has_days: hasDays(stored), time_zone, has_time_zone }
}

async function readProgram(db: Db, events: readonly StoredEvent[]): Promise<Overview['program']> {
  const published = events.filter(isPublished)
  const removed = published.filter((event) => readPatch(event.row.draft).is_deleted === 1)
  const changed = published.filter((event) => Object.keys(readPatch(event.row.draft)).length > 0)
  const isRemoved = new Set(removed)
  const rows = events.filter((event) => !isRemoved.has(event)).map((event) => withDraft(event).row)
  const held = rows.filter(({ is_cancelled }) => is_cancelled === 0)
  const rooms = await listRecords(db, 'room')
  const { speakers, linkedPhotos } = await countSpeakers(db)
  return {
    events: rows.length,
    published: published.length,
    new: events.length - published.length,
    changed: changed.length - removed.length,
    removed: removed.length,
    cancelled: rows.length - held.length,
    without_time: held.filter(({ date_from }) => date_from === null).length,
    without_room: held.filter(({ room_id }) => room_id === null).length,
    clashes: findDraftClashes(events).length,
    rooms: rooms.length,
    rooms_without_name: rooms.filter(({ name }) => name === '').length,
    tracks: (await listRecords(db, 'track')).length,
    speakers,
    linked_photos: linkedPhotos,
  }
}

function readAccess({ access, publicUrl, host }: Config): Overview['access'] {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl)
  return {
    mode: access,
    public_url: publicUrl ?? null,
    is_encrypted: url?.protocol === 'https:',
    is_local: isLoopback(url?.hostname ?? host),
  }
}

async function readBackup({ db, now, timestamp }: Scope, { to, everyMs }: BackupConfig): Promise<Overview['backup']> {
  const newest = await findNewestBackup(db, now)
  return {
    has_location: to !== undefined,
    every_minutes: everyMs === undefined ? null : everyMs / minuteMs,
    newest: newest
      ? {
          made_at: timestamp(newest.createdAt),
          verified_at: timestamp(newest.createdAt + newest.durationMs),
          bytes: newest.bytes,
        }
      : null,
    is_late: newest && everyMs !== undefined ? isBackupLate(newest.createdAt, everyMs, now) : null,
  }
}

import type { Limits } from '../../../../contract/limits.ts'
import { isBlank } from '../../../../contract/visible.ts'
import { isLongerThan, quote, stripUnstorable, toOneLine, truncate } from '../../../core/clean-text.ts'
import { memoize } from '../../../core/memoize.ts'
import { sanitizeHtml } from '../../program/html.ts'
import type { ProgramFormat } from '../program-formats.ts'
import type { ImportWarning, LinkRelation, ParsedProgram, SourceLink, SourceSession, SourceSpeaker } from '../source.ts'
import { toHtmlFragment } from '../text/html-fragment.ts'
import { formatDay, formatWall, readIsoDate } from '../times/wall-clock.ts'
import { createProgramParts, type ProgramParts } from './program-parts.ts'
import { createRoomReader } from './session-rooms.ts'
import { createStatusReader, isRejected } from './session-status.ts'
import type { Times, TimesError } from './session-times.ts'
import { decodeReferences, splitCancellation } from './session-titles.ts'
import {
  cleanTag,
  createKeyOfId,
  readId,
  readLanguage,
  readLinks,
  readTags,
  readUrl,
  readUuid,
} from './source-values.ts'
import { describeSimilarNames, type RawSpeaker } from './speakers.ts'

/** A session as read from a file, before any checks. */
export interface RawSession {
  line: number
  /** The preferred ID first; blank ones are ignored. */
  ids: readonly string[]
  title: string
  subtitle?: string
  speakers: readonly RawSpeaker[]
  room: string
  track?: string
  type?: string
  license?: string
  language?: string
  tags?: readonly string[]
  /** `related` unless said. Of links to the same page, the first is used. */
  links?: readonly (SourceLink & { rel?: LinkRelation })[]
  guid?: string
  code?: string
  slug?: string
  doNotRecord?: boolean
  /** `YYYY-MM-DD`, or `''` if the source has no conference days: the date of the start is used. */
  day: string
  times: Times | TimesError
  abstract: string
  long: string
  status: string
  /** A cell besides the title and the status that says that the session is cancelled. */
  note?: { heading: string; cell: string } | undefined
  /** As in `SourceSession`. */
  shownAt?: number | undefined
}

export interface SessionList extends ProgramParts {
  add(session: RawSession): void
  warn(line: number, message: string, weight?: ImportWarning['weight']): void
  /** Warns about the whole file: only the first of several equal messages is reported. */
  warnOnce(line: number, message: string): void
  /** Says at the head of the plan how dates or times were read. */
  setReading(sentence: string): void
  finish(): ParsedProgram
}

const emptyHtml = sanitizeHtml('')

/** Characters of a session's abstract or description; several times the longest in real programs. */
const maxTextLength = 100_000

/** Speakers of a session; more than the authors of a poster are an attack. */
const maxSpeakers = 1_000

/**
 * Collects the sessions of one file: skips unusable ones with a warning, and shortens long values. What many sessions may
 * have in common, such as a speaker or the name of a room, is read once: it may be longer than all of the sessions.
 *
 * @param limits the maximum length of a title or subtitle (`name`) and of any other line (`text`), in characters
 */
export function createSessionList(format: ProgramFormat, limits: Limits): SessionList {
  const sessions: SourceSession[] = []
  /** Sessions with an ID, by their key. */
  const byKey = new Map<string, SourceSession>()
  const keyOfId = createKeyOfId(byKey)
  /** Sessions with an ID, by that ID, their start and room. */
  const bySlot = new Map<string, SourceSession>()
  const guids = new Set<string>()
  /** The first line of each session without an ID, by its other distinguishing values. */
  const firstLines = new Map<string, number>()
  const warnings: ImportWarning[] = []
  const reported = new Set<string>()
  const statuses = createStatusReader()
  const rooms = createRoomReader()
  /** By what was read of them from the file. */
  const speakers = new Map<RawSpeaker, SourceSpeaker>()
  const { finish: finishParts, ...parts } = createProgramParts(limits)
  let dateReading: string | undefined
  let isDecodingReported = false

  const warn: SessionList['warn'] = (line, message, weight) => {
    warnings.push({ line, message, weight })
  }

  const onOneLine = memoize(toOneLine)
  const decode = memoize(decodeReferences)
  const readTag = memoize(cleanTag)
  const toHtml = memoize((text: string) => sanitizeHtml(toHtmlFragment(text)))
  const cleanText = memoize((written: string) => {
    const text = stripUnstorable(written).trim()
    return { text: truncate(text, maxTextLength), isCut: isLongerThan(text, maxTextLength) }
  })

  const shorten = (line: number, label: string, text: string, limit: number) => {
    const clean = onOneLine(text)
    if (!isLongerThan(clean, limit)) return clean
    warn(line, `The ${label} ${quote(clean)} is longer than ${formatNumber(limit)} characters and was shortened.`)
    return truncate(clean, limit)
  }

  const cleanSpeaker = (line: number, { ids = [], biography = '', ...speaker }: RawSpeaker): SourceSpeaker => ({
    name: shorten(line, 'speaker name', toPlain(line, speaker.name), limits.text),
    position: shorten(line, 'position', toPlain(line, speaker.position), limits.text),
    company: shorten(line, 'company', toPlain(line, speaker.company), limits.text),
    key: readId(ids) ?? '',
    guid: readUuid(speaker.guid),
    biography: toHtml(cleanText(biography).text),
    photo: readUrl(speaker.photo),
    links: readLinks(speaker.links),
  })

  /** @param line of the session that names the speaker */
  const readSpeaker = (line: number, raw: RawSpeaker): SourceSpeaker => {
    const speaker = speakers.get(raw) ?? cleanSpeaker(line, raw)
    speakers.set(raw, speaker)
    return speaker
  }

  /** Without IDs, two sessions with the same title, start, room and speakers are probably a mistake. */
  const warnIfDuplicate = ({ line, title, startsAt, room, speakers }: SourceSession) => {
    const people = speakers.map(({ name, position, company }) => [name, position, company])
    const identity = JSON.stringify([title, startsAt, room, people])
    const first = firstLines.get(identity)
    if (first === undefined) firstLines.set(identity, line)
    else
      warn(
        line,
        `Session ${quote(title)} is already in line ${first}, with the same start, room and speakers; it counts as a second session.`,
      )
  }

  /** The plain text of a title, name or room. */
  const toPlain = (line: number, written: string) => {
    const text = decode(written)
    if (text !== written && !isDecodingReported)
      warn(line, `HTML references such as in ${quote(written)} were decoded: ${quote(text)}.`)
    isDecodingReported ||= text !== written
    return text
  }

  const add = (written: RawSession) => {
    const { line } = written
    const { title: plainTitle, isCancelled } = splitCancellation(toPlain(line, written.title))
    const raw = {
      ...written,
      title: plainTitle,
      subtitle: toPlain(line, written.subtitle ?? ''),
      room: toPlain(line, written.room),
      track: toPlain(line, written.track ?? ''),
    }
    const id = readId(raw.ids)

    if (isBlank(raw.title)) {
      warn(line, `Session${id ? ` ${quote(id)}` : ''} has no title; skipped.`, 'skipped')
      return
    }
    const skip = (clause: string) => warn(line, `Session ${quote(raw.title)} ${clause}; skipped.`, 'skipped')
    if (isRejected(raw.status)) return skip(`has the status ${quote(raw.status)}`)
    if (typeof raw.times === 'string') return skip(raw.times)
    const { start, end, warnings: assumptions = [] } = raw.times
    if (end < start) return skip(`ends (${formatWall(end)}) before it starts (${formatWall(start)})`)
    const room = rooms.read(line, onOneLine(raw.room))
    const slot = JSON.stringify([id, start, truncate(room, limits.text)])
    const twin = id === undefined ? undefined : bySlot.get(slot)
    if (twin) return skip(`has the same id (${id}), start and room as ${quote(twin.title)} in line ${twin.line}`)
    const other = id === undefined ? undefined : byKey.get(id)
    const key = id === undefined ? '' : keyOfId(id)
    if (other) {
      warn(
        line,
        `Session ${quote(raw.title)} has the same id (${id}) as ${quote(other.title)} in line ${other.line}, ` +
          `at another time or place; it is a second session with the id ${key}.`,
      )
    }
    for (const assumption of assumptions) warn(line, `Session ${quote(raw.title)} ${assumption}.`)
    const hasCancelledStatus = statuses.isCancelled(line, raw.status)
    if (isCancelled && !hasCancelledStatus)
      warn(line, `Session ${quote(raw.title)} is cancelled, because its title is ${quote(written.title)}.`)
    if (raw.note && !isCancelled && !hasCancelledStatus)
      warn(
        line,
        `Session ${quote(raw.title)} is imported as taking place, although its ${quote(raw.note.heading)} is ` +
          `${quote(raw.note.cell)}. To cancel it, write that in a column “Status”.`,
      )
    const title = shorten(line, 'title', raw.title, limits.name)
    const subtitle = shorten(line, 'subtitle', raw.subtitle, limits.name)
    const named = raw.speakers.map((speaker) => readSpeaker(line, speaker)).filter(({ name }) => !isBlank(name))
    const tooMany = named.length - maxSpeakers
    if (tooMany > 0)
      warn(
        line,
        `Session ${quote(title)} has more than ${formatNumber(maxSpeakers)} speakers; ` +
          `the last ${tooMany === 1 ? 'one was' : `${formatNumber(tooMany)} were`} left out.`,
      )
    const shortenText = (label: string, given: string) => {
      const { text, isCut } = cleanText(given)
      if (isCut)
        warn(
          line,
          `The ${label} of session ${quote(title)} is longer than ${formatNumber(maxTextLength)} characters and was shortened.`,
        )
      return text
    }
    const guid = readUuid(raw.guid)
    const isOwnGuid = !guids.has(guid)
    guids.add(guid)
    if (guid !== '' && !isOwnGuid && raw.shownAt !== undefined)
      warn(line, `Session ${quote(title)} has the Summit ID of another row; it counts as a new session.`)
    const texts = [shortenText('abstract', raw.abstract), shortenText('description', raw.long)]
    // Sanitized once, here: while an import is applied, all other writes wait.
    const fragments = texts.map((text) => (isBlank(text) ? emptyHtml : toHtml(text)))
    // Elsewhere a session that has only one of them may have either.
    const [description = emptyHtml, details = emptyHtml] =
      raw.shownAt === undefined ? new Set(fragments.filter((text) => text !== '')) : fragments
    const session: SourceSession = {
      key,
      line,
      title,
      subtitle,
      speakers: named.slice(0, maxSpeakers),
      room: shorten(line, 'room', room, limits.text),
      track: shorten(line, 'track', raw.track, limits.text),
      type: shorten(line, 'type', raw.type ?? '', limits.text),
      license: shorten(line, 'licence', raw.license ?? '', limits.text),
      language: readLanguage(raw.language),
      tags: readTags(raw.tags ?? [], readTag),
      links: readLinks((raw.links ?? []).map(({ rel = 'related', title, url }) => ({ rel, title, url }))),
      guid: isOwnGuid ? guid : '',
      code: truncate(toOneLine(raw.code ?? ''), limits.text),
      slug: truncate(toOneLine(raw.slug ?? ''), limits.text),
      doNotRecord: raw.doNotRecord ?? false,
      day: isDate(raw.day) ? raw.day : formatDay(start),
      startsAt: formatWall(start),
      endsAt: formatWall(end),
      description,
      details,
      cancelled: isCancelled || hasCancelledStatus,
      ...(raw.shownAt !== undefined && { shownAt: raw.shownAt }),
    }
    if (id === undefined) warnIfDuplicate(session)
    else {
      byKey.set(key, session)
      bySlot.set(slot, session)
    }
    sessions.push(session)
  }

  const warnOnce = (line: number, message: string) => {
    if (!reported.has(message)) warn(line, message)
    reported.add(message)
  }

  const finish = (): ParsedProgram => {
    if (sessions.length === 0 && warnings.length === 0) warn(1, 'The file contains no sessions.')
    warnings.push(...statuses.describeUnknown(), ...rooms.describeMissing(), ...describeSimilarNames(sessions))
    warnings.sort((a, b) => a.line - b.line)
    return {
      format,
      sessions,
      ...finishParts(),
      warnings,
      unused: [],
      ...(dateReading === undefined ? {} : { dateReading }),
    }
  }

  const setReading = (sentence: string) => {
    dateReading = sentence
  }

  return { add, ...parts, warn, warnOnce, setReading, finish }
}

const formatNumber = (limit: number) => limit.toLocaleString('en')

const isDate = (day: string): boolean => readIsoDate(day) !== undefined

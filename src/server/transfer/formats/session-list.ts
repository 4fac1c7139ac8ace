import { defaultLimits } from '../../../contract/limits.ts'
import { isBlank } from '../../../contract/visible.ts'
import type { ParsedProgram, Problem, SourceSession, SourceSpeaker } from '../source.ts'
import { cut, oneLine, quoted, storable, toFragment } from './clean.ts'
import type { Refusal, Times } from './session-times.ts'
import { formatDay, formatWall } from './wall-clock.ts'

/** A session as a format found it, before any of it is checked. */
export interface RawSession {
  line: number
  /** Its ids, the best first; blank ones are passed over. */
  ids: readonly string[]
  title: string
  subtitle?: string
  speakers: readonly SourceSpeaker[]
  room: string
  /** `YYYY-MM-DD`, or `''` when the source has no conference days: then it is the date of the start. */
  day: string
  times: Times | Refusal
  abstract: string
  long: string
  status: string
}

export interface SessionList {
  add(session: RawSession): void
  problem(line: number, reason: string): void
  /** A reservation about the whole file: said for the first row that raises it, and no more. */
  once(line: number, reason: string): void
  finish(): ParsedProgram
}

const cancelled = /^(?:cancel|withdrawn|abgesagt|storniert|entfällt|annul)/i
const refused = /^(?:rejected|declined|deleted|decline.queue)/i

/**
 * Collects the sessions of one file: refuses what cannot be used and says why, cuts what is too long, and tells the
 * sessions apart.
 *
 * @param format human name of the format
 */
export function sessionList(format: string): SessionList {
  const sessions = new Map<string, SourceSession>()
  const aliases = new Map<SourceSession, string[]>()
  const bearers = new Map<string, number>()
  const namesakes = new Map<string, number>()
  const problems: Problem[] = []
  const said = new Set<string>()

  const problem = (line: number, reason: string) => {
    problems.push({ line, reason })
  }

  const fitted = (line: number, what: string, text: string, limit: number) => {
    const clean = oneLine(text)
    if (clean.length <= limit) return clean
    problem(line, `The ${what} ${quoted(clean)} is longer than ${limit.toLocaleString('en')} characters and was cut.`)
    return cut(clean, limit)
  }

  const fitSpeaker = (line: number, speaker: SourceSpeaker): SourceSpeaker => ({
    name: fitted(line, 'speaker name', speaker.name, defaultLimits.text),
    position: fitted(line, 'position', speaker.position, defaultLimits.text),
    company: fitted(line, 'company', speaker.company, defaultLimits.text),
  })

  const naturalKey = (title: string, speaker: SourceSpeaker | undefined) => {
    const name = cut([title, speaker?.name ?? ''].filter(Boolean).join(' / ').toLowerCase(), 240)
    let count = namesakes.get(name) ?? 0
    let key = name
    do {
      count += 1
      key = count === 1 ? name : `${name} (${count})`
    } while (sessions.has(key))
    namesakes.set(name, count)
    return key
  }

  const add = (raw: RawSession) => {
    const { line } = raw
    const ids = [...new Set(raw.ids.map((id) => cut(oneLine(id), defaultLimits.text)).filter((id) => !isBlank(id)))]
    for (const id of ids) bearers.set(id, (bearers.get(id) ?? 0) + 1)

    if (isBlank(raw.title)) {
      problem(line, `The session${ids[0] ? ` ${quoted(ids[0])}` : ''} has no title; it was left out.`)
      return
    }
    const leaveOut = (clause: string) => problem(line, `The session ${quoted(raw.title)} ${clause}; it was left out.`)
    if (refused.test(raw.status.trim())) return leaveOut(`is marked ${quoted(raw.status)}`)
    if (typeof raw.times === 'string') return leaveOut(raw.times)
    const { start, end, reservation } = raw.times
    if (end < start) return leaveOut(`ends (${formatWall(end)}) before it starts (${formatWall(start)})`)
    const twin = ids[0] === undefined ? undefined : sessions.get(ids[0])
    if (twin) return leaveOut(`has the same id (${ids[0]}) as ${quoted(twin.title)} in line ${twin.line}`)

    if (reservation) problem(line, `The session ${quoted(raw.title)} ${reservation}.`)
    const title = fitted(line, 'title', raw.title, defaultLimits.name)
    const speakers = raw.speakers.filter(({ name }) => !isBlank(name)).map((speaker) => fitSpeaker(line, speaker))
    const texts = [raw.abstract, raw.long].map((text) => storable(text).trim()).filter((text) => !isBlank(text))
    const [description = '', details = ''] = new Set(texts)
    const session: SourceSession = {
      key: ids[0] ?? naturalKey(title, speakers[0]),
      aliases: [],
      line,
      title,
      speakers,
      room: fitted(line, 'room', raw.room, defaultLimits.text),
      day: raw.day || formatDay(start),
      startsAt: formatWall(start),
      endsAt: formatWall(end),
      description: subtitleHtml(raw.subtitle) + toFragment(description),
      details: toFragment(details),
      cancelled: cancelled.test(raw.status.trim()),
    }
    sessions.set(session.key, session)
    aliases.set(session, ids.slice(1))
  }

  const once = (line: number, reason: string) => {
    if (!said.has(reason)) problem(line, reason)
    said.add(reason)
  }

  const finish = (): ParsedProgram => {
    for (const [session, ids] of aliases) {
      session.aliases = ids.filter((id) => bearers.get(id) === 1 && !sessions.has(id))
    }
    if (sessions.size === 0 && problems.length === 0) problem(1, 'The file holds no sessions.')
    problems.sort((a, b) => a.line - b.line)
    return { format, sessions: [...sessions.values()], problems }
  }

  return { add, problem, once, finish }
}

const subtitleHtml = (subtitle = '') =>
  isBlank(subtitle) ? '' : toFragment(oneLine(subtitle)).replace(/^<p>(.*)<\/p>$/, '<p><strong>$1</strong></p>')

import type { Limits } from '../../../contract/limits.ts'
import { isBlank } from '../../../contract/visible.ts'
import { sanitiseHtml } from '../../program/html.ts'
import type { ParsedProgram, Remark, SourceSession, SourceSpeaker } from '../source.ts'
import { cut, isLonger, oneLine, quoted, storable, toFragment } from './clean.ts'
import { fitSpeakers } from './fit-speakers.ts'
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

/** Not a setting: with another one, the same session would be another. */
const maxKey = 255

/** Characters of a session's abstract or description, which no request brings: several times what the longest have. */
const maxText = 100_000

const cancelled = /^(?:cancel|withdrawn|abgesagt|storniert|entfällt|annul)/i
const refused = /^(?:rejected|declined|deleted|decline.queue)/i

/**
 * Collects the sessions of one file: refuses what cannot be used and says why, cuts what is too long, and tells the
 * sessions apart.
 *
 * @param format human name of the format
 * @param limits how many characters a title or subtitle (`name`) and any other line (`text`) may have
 */
export function sessionList(format: string, limits: Limits): SessionList {
  const sessions = new Map<string, SourceSession>()
  const namesakes = new Map<string, number>()
  /** The line of each session without an id, by what else tells it apart. */
  const places = new Map<string, number>()
  const problems: Remark[] = []
  const said = new Set<string>()

  const problem = (line: number, reason: string) => {
    problems.push({ line, reason })
  }

  const fitted = (line: number, what: string, text: string, limit: number) => {
    const clean = oneLine(text)
    if (!isLonger(clean, limit)) return clean
    problem(line, `The ${what} ${quoted(clean)} is longer than ${written(limit)} characters and was cut.`)
    return cut(clean, limit)
  }

  const fitSpeaker = (line: number, speaker: SourceSpeaker): SourceSpeaker => ({
    name: fitted(line, 'speaker name', speaker.name, limits.text),
    position: fitted(line, 'position', speaker.position, limits.text),
    company: fitted(line, 'company', speaker.company, limits.text),
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

  /** Without ids the source does not say that two are different; with the same room and start, they hardly are. */
  const remarkTwin = ({ line, title, startsAt, room, speakers }: SourceSession) => {
    const place = JSON.stringify([title, startsAt, room, speakers])
    const first = places.get(place)
    if (first === undefined) places.set(place, line)
    else
      problem(
        line,
        `The session ${quoted(title)} is in line ${first} already, with the same start, room and speakers; it was taken as a second one.`,
      )
  }

  const add = (raw: RawSession) => {
    const { line } = raw
    const id = raw.ids.map((given) => cut(oneLine(given), maxKey)).find((given) => !isBlank(given))

    if (isBlank(raw.title)) {
      problem(line, `The session${id ? ` ${quoted(id)}` : ''} has no title; it was left out.`)
      return
    }
    const leaveOut = (clause: string) => problem(line, `The session ${quoted(raw.title)} ${clause}; it was left out.`)
    if (refused.test(raw.status.trim())) return leaveOut(`is marked ${quoted(raw.status)}`)
    if (typeof raw.times === 'string') return leaveOut(raw.times)
    const { start, end, reservation } = raw.times
    if (end < start) return leaveOut(`ends (${formatWall(end)}) before it starts (${formatWall(start)})`)
    const twin = id === undefined ? undefined : sessions.get(id)
    if (twin) return leaveOut(`has the same id (${id}) as ${quoted(twin.title)} in line ${twin.line}`)

    if (reservation) problem(line, `The session ${quoted(raw.title)} ${reservation}.`)
    const title = fitted(line, 'title', raw.title, limits.name)
    const all = raw.speakers.filter(({ name }) => !isBlank(name)).map((speaker) => fitSpeaker(line, speaker))
    const speakers = fitSpeakers(all, limits.text, (what, count) =>
      problem(
        line,
        `The ${what} of the session ${quoted(title)} are longer than ${written(limits.text)} characters together; ` +
          `the last ${count === 1 ? 'one was' : `${count} were`} left out.`,
      ),
    )
    const subtitle = fitted(line, 'subtitle', raw.subtitle ?? '', limits.name)
    const fittedText = (what: string, given: string) => {
      const text = storable(given).trim()
      if (!isLonger(text, maxText)) return text
      problem(
        line,
        `The ${what} of the session ${quoted(title)} is longer than ${written(maxText)} characters and was cut.`,
      )
      return cut(text, maxText)
    }
    const texts = [fittedText('abstract', raw.abstract), fittedText('description', raw.long)]
    const [description = '', details = ''] = new Set(texts.filter((text) => !isBlank(text)))
    const session: SourceSession = {
      key: id ?? naturalKey(title, speakers[0]),
      line,
      title,
      speakers,
      room: fitted(line, 'room', raw.room, limits.text),
      day: raw.day || formatDay(start),
      startsAt: formatWall(start),
      endsAt: formatWall(end),
      // Here, once: whoever plans and applies an import does so while every other write waits.
      description: sanitiseHtml(subtitleHtml(subtitle) + toFragment(description)),
      details: sanitiseHtml(toFragment(details)),
      cancelled: cancelled.test(raw.status.trim()),
    }
    if (id === undefined) remarkTwin(session)
    sessions.set(session.key, session)
  }

  const once = (line: number, reason: string) => {
    if (!said.has(reason)) problem(line, reason)
    said.add(reason)
  }

  const finish = (): ParsedProgram => {
    if (sessions.size === 0 && problems.length === 0) problem(1, 'The file holds no sessions.')
    problems.sort((a, b) => a.line - b.line)
    return { format, sessions: [...sessions.values()], problems }
  }

  return { add, problem, once, finish }
}

const written = (limit: number) => limit.toLocaleString('en')

const subtitleHtml = (subtitle: string) =>
  isBlank(subtitle) ? '' : toFragment(subtitle).replace(/^<p>(.*)<\/p>$/, '<p><strong>$1</strong></p>')

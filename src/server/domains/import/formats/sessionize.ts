import type { Limits } from '../../../../contract/limits.ts'
import { memoize } from '../../../core/memoize.ts'
import { isNo, isYes } from '../csv/csv-table.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList, type RawSession, type SessionList } from '../sessions/session-list.ts'
import { timesByTimestamps } from '../sessions/session-times.ts'
import { readLanguage } from '../sessions/source-values.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import { createVenue } from '../sessions/venue-clock.ts'
import type { ParsedProgram } from '../source.ts'
import { isTrue, items, type JsonFile, type JsonNode, member, textIn, textOf } from '../text/json-nodes.ts'
import { formatDay, type ReadTimestamp, readIsoDate } from '../times/wall-clock.ts'

const isSession = (node: JsonNode | undefined) => member(node, 'title') !== undefined && !!node && hasStart(node)
const hasStart = (node: JsonNode) => (node.children ?? []).some(({ children }) => children?.[0]?.value === 'startsAt')
const hasSessions = (node: JsonNode) => items(member(node, 'sessions')).some(isSession)

/** Whether a JSON file is a Sessionize export: "all data", "sessions" (grouped) or "schedule grid" (GridSmart). */
export function isSessionize(root: JsonNode): boolean {
  if (root.type === 'object') return hasSessions(root)
  return items(root).some((each) => hasSessions(each) || items(member(each, 'rooms')).some(hasSessions))
}

interface Context {
  list: SessionList
  line: JsonFile['line']
  read: ReadTimestamp
  rooms: Map<string, string>
  speakers: Map<string, RawSpeaker>
}

/** A session, and what is said around it. */
interface Placed {
  node: JsonNode
  /** `YYYY-MM-DD`, or `''`. */
  day: string
  room: string
}

/** Reads the JSON of Sessionize's API. Its times have no zone and are local to the venue. */
export function parseSessionize({ root, line }: JsonFile, limits: Limits, options: ReadingOptions): ParsedProgram {
  const list = createSessionList('Sessionize JSON', limits)
  const questions = new Map(
    items(member(root, 'questions')).map((each) => [textIn(each, 'id'), textIn(each, 'question')]),
  )
  const context: Context = {
    list,
    line,
    read: createVenue(list, '', line(root), options).read,
    rooms: new Map(items(member(root, 'rooms')).map((each) => [textIn(each, 'id'), textIn(each, 'name')])),
    speakers: new Map(
      items(member(root, 'speakers')).map((each) => [textIn(each, 'id'), readSpeaker(each, questions)] as const),
    ),
  }
  for (const each of items(member(root, 'rooms')))
    list.addRoom({ name: textIn(each, 'name'), ids: [textIn(each, 'id')] })
  const sessions = findSessions(root)
  const describe = readCategories(
    root,
    sessions.map(({ node }) => node),
    list,
    limits,
  )
  for (const session of sessions) addSession(context, session, describe(session.node))
  return list.finish()
}

function findSessions(root: JsonNode): Placed[] {
  const sessionsIn = (node: JsonNode, day: string, room: string): Placed[] =>
    items(member(node, 'sessions')).map((session) => ({ node: session, day, room }))
  const inGroups = items(root).flatMap((group) => {
    const date = readIsoDate(textIn(group, 'date'))
    const day = date === undefined ? '' : formatDay(date)
    const rooms = items(member(group, 'rooms'))
    return [...sessionsIn(group, day, ''), ...rooms.flatMap((room) => sessionsIn(room, day, textIn(room, 'name')))]
  })
  return [...sessionsIn(root, '', ''), ...inGroups]
}

type Description = Pick<RawSession, 'track' | 'type' | 'language' | 'tags'>

function addSession(
  { list, line, read, rooms, speakers }: Context,
  { node, day, room: around }: Placed,
  description: Description,
): void {
  const [roomName, roomId] = [textIn(node, 'room'), textIn(node, 'roomId')]
  const room = roomName || rooms.get(roomId) || around
  if (roomId !== '') list.addRoom({ name: room, ids: [roomId] })
  list.add({
    ...description,
    line: line(node),
    ids: [textIn(node, 'id')],
    title: textIn(node, 'title'),
    speakers: items(member(node, 'speakers')).flatMap((each) => {
      const speaker = each.type === 'object' ? readSpeaker(each, new Map()) : speakers.get(textOf(each))
      if (!speaker) list.warnOnce(line(node), 'Some speakers are given only by an id; they were left out.')
      return speaker ?? []
    }),
    room,
    links: [
      { rel: 'stream', title: '', url: textIn(node, 'liveUrl') },
      { rel: 'recording', title: '', url: textIn(node, 'recordingUrl') },
    ],
    day,
    times: timesByTimestamps(read, { start: textIn(node, 'startsAt'), end: textIn(node, 'endsAt'), duration: '' }),
    abstract: textIn(node, 'description'),
    long: '',
    status: textIn(node, 'status'),
  })
}

/** Reads a speaker; the company comes from a custom question that many conferences ask. */
function readSpeaker(node: JsonNode, questions: ReadonlyMap<string, string>): RawSpeaker {
  const answer = (question: RegExp) => {
    const asked = items(member(node, 'questionAnswers')).map((each) => {
      const [id, text] = [textIn(each, 'questionId'), textIn(each, 'question')]
      return { each, question: questions.get(id) ?? text }
    })
    return textIn(asked.find((each) => question.test(each.question))?.each, 'answerValue', 'answer')
  }
  const names = [textIn(node, 'firstName'), textIn(node, 'lastName')]
  const id = textIn(node, 'id')
  return {
    name: textIn(node, 'fullName', 'name') || names.join(' '),
    position: answer(/^(?:job title|position|role)\b/i) || textIn(node, 'tagLine'),
    company: answer(/^(?:company|organi[sz]ation|employer)\b/i),
    ids: [id],
    guid: id,
    biography: textIn(node, 'bio'),
    photo: textIn(node, 'profilePicture'),
    links: items(member(node, 'links')).map((link) => ({ title: textIn(link, 'title'), url: textIn(link, 'url') })),
  }
}

/** What was chosen for a session in a category, which has a title of the organizer's. */
interface Choice {
  category: string
  name: string
}

const trackTitles = [/\btracks?\b/i, /\b(?:topic|theme|th[eè]me|thema|themen|tema)s?\b/i]
const typeTitles = [/(?:\b|s)(?:format[eos]?|type?)\b|\btipo\b/i]
const languageTitles = [/\b(?:language|langue|idioma|lengua)s?\b|sprache/i]

/**
 * Reads what organizers ask for in categories of their own, by the titles of these: the track, the format and the language.
 * All others are tags. Those of speakers are not the audience's.
 */
function readCategories(
  root: JsonNode,
  sessions: readonly JsonNode[],
  list: SessionList,
  limits: Limits,
): (session: JsonNode) => Description {
  const categories = items(member(root, 'categories')).filter((each) => textIn(each, 'type') !== 'speaker')
  const choicesIn = (node: JsonNode, name: 'items' | 'categoryItems') => {
    const category = textIn(node, 'title', 'name').slice(0, limits.text)
    return items(member(node, name)).map((item) => ({ item, choice: { category, name: textIn(item, 'name') } }))
  }
  const byId = new Map<string, Choice>(
    categories.flatMap((category) =>
      choicesIn(category, 'items').map(({ item, choice }) => [textIn(item, 'id'), choice] as const),
    ),
  )
  /** By their ids in "all data", else written out. */
  const choicesOf = (session: JsonNode): Choice[] => [
    ...items(member(session, 'categoryItems')).flatMap((id) => byId.get(textOf(id)) ?? []),
    ...items(member(session, 'categories')).flatMap((category) =>
      choicesIn(category, 'categoryItems').map(({ choice }) => choice),
    ),
  ]
  const chosen = Map.groupBy(sessions.flatMap(choicesOf), ({ category }) => category)
  const find = (titles: readonly RegExp[]) =>
    titles.flatMap((title) => [...chosen.keys()].find((category) => title.test(category)) ?? [])[0]
  const track = find(trackTitles)
  const type = find(typeTitles)
  const language = find(languageTitles)
  const languageOf = memoize((name: string) => (isYesOrNo(name) ? '' : readLanguage(name)))
  const areLanguages = (chosen.get(language ?? '') ?? []).every(({ name }) => languageOf(name) !== '')

  // In the organizer's order, without those of which there are no sessions.
  const used = new Set(chosen.get(track ?? '')?.map(({ name }) => name))
  for (const { category, name } of byId.values())
    if (category === track && used.has(name)) list.addTrack({ name, color: '' })

  return (session) => {
    const choices = new Set(choicesOf(session))
    const take = (category: string | undefined, most = 1) => {
      const taken = [...choices].filter((choice) => choice.category === category).slice(0, most)
      for (const choice of taken) choices.delete(choice)
      return taken.map(({ name }) => name)
    }
    const typeWithoutFormat = readTypeWithoutFormat(session)
    const [[chosenTrack = ''], [chosenType = '']] = [take(track), take(type)]
    return {
      track: chosenTrack,
      type: chosenType || typeWithoutFormat,
      language: areLanguages ? [...new Set(take(language, choices.size).map(languageOf))].join(', ') : '',
      tags: [...choices].map(({ name }) => name).filter((name) => !isYesOrNo(name)),
    }
  }
}

/** Says nothing without its question. “No” is also the tag of Norwegian. */
const isYesOrNo = (name: string): boolean => isYes(name) || isNo(name)

/**
 * Breaks, meals and the like have no format, but a mark of their own, and so have sessions for everybody. Sessionize's
 * words for them tell apps which sessions are no talks.
 */
function readTypeWithoutFormat(session: JsonNode): string {
  const [isService, isPlenum] = [
    isTrue(member(session, 'isServiceSession')),
    isTrue(member(session, 'isPlenumSession')),
  ]
  return isService ? 'Service session' : isPlenum ? 'Plenum session' : ''
}

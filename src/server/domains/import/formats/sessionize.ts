import type { Limits } from '../../../../contract/limits.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList, type SessionList } from '../sessions/session-list.ts'
import { timesByTimestamps } from '../sessions/session-times.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import { createVenue } from '../sessions/venue-clock.ts'
import type { ParsedProgram } from '../source.ts'
import { items, type JsonFile, type JsonNode, member, textIn, textOf } from '../text/json-nodes.ts'
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
  for (const session of items(member(root, 'sessions'))) addSession(context, session, '')
  for (const group of items(root)) {
    const date = readIsoDate(textIn(group, 'date'))
    const day = date === undefined ? '' : formatDay(date)
    for (const session of items(member(group, 'sessions'))) addSession(context, session, day)
    for (const room of items(member(group, 'rooms'))) {
      for (const session of items(member(room, 'sessions'))) addSession(context, session, day, textIn(room, 'name'))
    }
  }
  return list.finish()
}

function addSession({ list, line, read, rooms, speakers }: Context, node: JsonNode, day: string, room = ''): void {
  const [roomName, roomId] = [textIn(node, 'room'), textIn(node, 'roomId')]
  list.add({
    line: line(node),
    ids: [textIn(node, 'id')],
    title: textIn(node, 'title'),
    speakers: items(member(node, 'speakers')).flatMap((each) => {
      const speaker = each.type === 'object' ? readSpeaker(each, new Map()) : speakers.get(textOf(each))
      if (!speaker) list.warnOnce(line(node), 'Some speakers are given only by an id; they were left out.')
      return speaker ?? []
    }),
    room: roomName || rooms.get(roomId) || room,
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
  return {
    name: textIn(node, 'fullName', 'name') || names.join(' '),
    position: answer(/^(?:job title|position|role)\b/i) || textIn(node, 'tagLine'),
    company: answer(/^(?:company|organi[sz]ation|employer)\b/i),
  }
}

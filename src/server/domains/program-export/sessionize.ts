import { inTurns } from '../../core/in-turns.ts'
import { toPlainText } from '../program/plain-text.ts'
import type { Program, ProgramEvent, ProgramSpeaker } from './program.ts'

// The JSON of Sessionize's API, as apps and pages for it read it: https://sessionize.com/playbook/api

/** What Sessionize has as a mark of a session, an import makes a type. */
const [serviceType, plenumType] = ['Service session', 'Plenum session']

/** The question whose answers are companies. */
const companyQuestion = 1

/** Writes `all.json`: sessions that refer to speakers, rooms and the items of categories. */
export async function writeAllJson(program: Program): Promise<string> {
  const categories = createCategories(program.events)
  const sessions = await inTurns(program.events, (event) => ({
    ...toSession(event),
    speakers: event.speakers.map(({ guid }) => guid),
    categoryItems: categories.itemsOf(event).map(({ id }) => id),
    questionAnswers: [],
  }))
  const bySpeaker = Map.groupBy(
    program.events.flatMap((event) => event.speakers.map(({ id }) => ({ id, session: idOf(event) }))),
    ({ id }) => id,
  )
  const speakers = await inTurns(program.speakers, (speaker) => ({
    ...toSpeaker(speaker),
    sessions: (bySpeaker.get(speaker.id) ?? []).map(({ session }) => session),
  }))
  return JSON.stringify({
    sessions,
    speakers,
    questions: [{ id: companyQuestion, question: 'Company', questionType: 'Short_Text', sort: 1 }],
    categories: categories.list,
    rooms: program.rooms.map(({ id, name }, sort) => ({ id: Number(id), name, sort })),
  })
}

/** Writes `gridsmart.json`: days with rooms, and the sessions written out in each. */
export async function writeGridSmart(program: Program): Promise<string> {
  const categories = createCategories(program.events)
  const sessions = await inTurns(program.events, (event) => ({
    event,
    session: {
      ...toSession(event),
      room: event.room?.name ?? '',
      speakers: event.speakers.map(({ guid, name }) => ({ id: guid, name })),
      categories: categories.list.flatMap(({ id, title, sort }) => {
        const chosen = categories.itemsOf(event).filter(({ category }) => category === title)
        const categoryItems = chosen.map(({ id, name }) => ({ id, name }))
        return categoryItems.length > 0 ? [{ id, name: title, categoryItems, sort }] : []
      }),
    },
  }))
  const ofDays = Map.groupBy(sessions, ({ event }) => event.day)
  return JSON.stringify(
    program.days.map(({ date }) => {
      const ofRooms = Map.groupBy(ofDays.get(date) ?? [], ({ event }) => event.room)
      const used = [...program.rooms, undefined].filter((room) => ofRooms.has(room))
      const rooms = used.map((room) => ({
        id: Number(room?.id ?? 0),
        name: room?.name ?? '',
        sessions: (ofRooms.get(room) ?? []).map(({ session }) => session),
        hasOnlyPlenumSessions: (ofRooms.get(room) ?? []).every(({ session }) => session.isPlenumSession),
      }))
      return { date: `${date}T00:00:00`, isDefault: false, rooms, timeSlots: toTimeSlots(rooms) }
    }),
  )
}

interface GridRoom {
  id: number
  name: string
  sessions: { startsAt: string }[]
}

/** The sessions that start at one time, in each room. */
function toTimeSlots(rooms: readonly GridRoom[]) {
  const starting = rooms.flatMap(({ id, name, sessions }, index) =>
    sessions.map((session) => ({ start: session.startsAt, room: { id, name, session, index } })),
  )
  const slots = Map.groupBy(starting, ({ start }) => start)
  return [...slots.keys()].sort().map((start) => ({
    slotStart: start.slice(11),
    rooms: (slots.get(start) ?? []).map(({ room }) => room),
  }))
}

const idOf = ({ sourceId, guid }: ProgramEvent): string => sourceId || guid

/** A session but for what it refers to. Times are local to the venue. */
function toSession(event: ProgramEvent) {
  const texts = [event.subtitle, toPlainText(event.description), toPlainText(event.details)]
  const urlOf = (relation: string) => event.links.find(({ rel }) => rel === relation)?.url ?? null
  return {
    id: idOf(event),
    title: event.title,
    description: texts.filter((text) => text !== '').join('\n\n') || null,
    startsAt: event.starts_at.slice(0, 19),
    endsAt: event.ends_at.slice(0, 19),
    isServiceSession: event.type === serviceType,
    isPlenumSession: event.type === plenumType,
    roomId: event.room ? Number(event.room.id) : null,
    liveUrl: urlOf('stream'),
    recordingUrl: urlOf('recording'),
    status: event.is_cancelled ? 'Cancelled' : 'Accepted',
    isInformed: true,
    isConfirmed: true,
  }
}

function toSpeaker({ guid, name, position, company, biography, photo_url, links }: ProgramSpeaker) {
  const [, firstName = name, lastName = ''] = /^(\S+)\s+(.*)$/.exec(name) ?? []
  return {
    id: guid,
    firstName,
    lastName,
    fullName: name,
    bio: toPlainText(biography) || null,
    tagLine: position || null,
    profilePicture: photo_url,
    isTopSpeaker: false,
    links: links.map(({ title, url }) => ({ title, url, linkType: 'Other' })),
    questionAnswers: company === '' ? [] : [{ questionId: companyQuestion, answerValue: company }],
    categoryItems: [],
  }
}

interface Item {
  id: number
  category: string
  name: string
}

/** The categories in which an import finds tracks, types, languages and tags, with the items that events have. */
function createCategories(events: readonly ProgramEvent[]) {
  const items = new Map<string, Item>()
  const itemsOf = (event: ProgramEvent): Item[] => {
    const type = event.type === serviceType || event.type === plenumType ? '' : event.type
    const chosen = [
      { category: 'Track', name: event.track?.name ?? '' },
      { category: 'Session format', name: type },
      ...event.language.split(', ').map((name) => ({ category: 'Language', name })),
      ...event.tags.map((name) => ({ category: 'Tags', name })),
    ]
    return chosen.flatMap(({ category, name }) => {
      if (name === '') return []
      const key = JSON.stringify([category, name])
      const item = items.get(key) ?? { id: items.size + firstItem, category, name }
      items.set(key, item)
      return [item]
    })
  }
  for (const event of events) itemsOf(event)
  const ofCategories = Map.groupBy(items.values(), ({ category }) => category)
  const list = [...ofCategories].map(([title, found], index) => ({
    ...{ id: index + 1, title, sort: index, type: 'session' },
    items: found.map(({ id, name }, sort) => ({ id, name, sort })),
  }))
  return { list, itemsOf }
}

/** Ids of items and categories are told apart by apps that look only at the number. */
const firstItem = 1_000

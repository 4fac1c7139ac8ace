import { memoize } from '../../../core/memoize.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import type { RawSession, SessionList } from '../sessions/session-list.ts'
import { type Times, type TimesError, timesByTimestamps } from '../sessions/session-times.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import { createVenue, type Venue } from '../sessions/venue-clock.ts'
import {
  booleanOf,
  entriesByKey,
  isTrue,
  items,
  type JsonFile,
  type JsonNode,
  member,
  textIn,
  textOf,
} from '../text/json-nodes.ts'

/** What is the same for all talks of a file: rooms, tracks and speakers may be listed apart from the talks that refer to them. */
export interface PretalxFile {
  list: SessionList
  venue: Venue
  /** The names of rooms and tracks, by `id`. */
  rooms: ReadonlyMap<string, string>
  tracks: ReadonlyMap<string, string>
  /** By `code`; undefined for those that are not listed. */
  findSpeaker(code: string): RawSpeaker | undefined
}

/** The place and time of a talk. */
export interface PretalxSlot {
  room: string
  times: Times | TimesError
}

/** Reads what a file has beside its talks; it may have nothing. */
export function readPretalxFile(list: SessionList, { root, line }: JsonFile, options: ReadingOptions): PretalxFile {
  const timeZone = textIn(root, 'timezone', 'time_zone_name')
  list.setConference({ timeZone, firstDay: textIn(root, 'event_start'), lastDay: textIn(root, 'event_end') })
  const rooms = items(member(root, 'rooms'))
  const tracks = items(member(root, 'tracks'))
  const speakers = member(root, 'speakers')
  for (const room of rooms) addRoom(list, room)
  for (const track of tracks) addTrack(list, track)
  const namesById = (nodes: JsonNode[]) => new Map(nodes.map((each) => [textIn(each, 'id'), textIn(each, 'name')]))
  const speakersByCode = new Map(
    [...items(speakers), ...entriesByKey(speakers, 'speakers').map(({ value }) => value)].map((each) => [
      textIn(each, 'code'),
      each,
    ]),
  )
  return {
    list,
    venue: createVenue(list, timeZone, line(root), options),
    rooms: namesById(rooms),
    tracks: namesById(tracks),
    findSpeaker: memoize((code: string) => {
      const node = speakersByCode.get(code)
      return node && readSpeaker(node, code)
    }),
  }
}

const addRoom = (list: SessionList, node: JsonNode): void =>
  list.addRoom({
    name: textIn(node, 'name'),
    ids: [textIn(node, 'guid'), textIn(node, 'id')],
    guid: textIn(node, 'guid'),
    capacity: Number(textIn(node, 'capacity')),
    description: textIn(node, 'description'),
  })

const addTrack = (list: SessionList, node: JsonNode): void =>
  list.addTrack({ name: textIn(node, 'name'), color: textIn(node, 'color') })

/** The name of a room, track or type, in one or several languages: as such, or as a member of an object. */
const nameOf = (node: JsonNode | undefined): string => textOf(member(node, 'name') ?? node)

/** Reads `start`, `end` and `room` of a slot, or of a talk that has them itself. */
export function readSlot({ list, rooms, venue }: PretalxFile, node: JsonNode, talk: JsonNode): PretalxSlot {
  const room = member(node, 'room')
  const name = nameOf(room)
  const [roomId, duration, talkDuration] = [textIn(node, 'room_id'), textIn(node, 'duration'), textIn(talk, 'duration')]
  if (room && member(room, 'name')) addRoom(list, room)
  return {
    room: rooms.get(name) ?? (name || (rooms.get(roomId) ?? '')),
    times: timesByTimestamps(
      venue.read,
      {
        start: textIn(node, 'start'),
        end: textIn(node, 'end'),
        duration: duration || talkDuration,
      },
      venue.zone,
    ),
  }
}

/** Reads a pretalx talk (or submission), without its ids, place and time. */
export function readTalk(
  file: PretalxFile,
  node: JsonNode,
  line: number,
): Omit<RawSession, 'ids' | 'day' | keyof PretalxSlot> {
  return {
    line,
    title: textIn(node, 'title'),
    speakers: items(member(node, 'speakers')).flatMap((speaker) => speakerOf(file, line, speaker) ?? []),
    track: trackOf(file, member(node, 'track')),
    type: isId(member(node, 'submission_type')) ? '' : nameOf(member(node, 'submission_type')),
    language: textIn(node, 'content_locale'),
    tags: items(member(node, 'tags'))
      .filter((tag) => !isId(tag) && isPublic(tag))
      .map((tag) => textOf(member(tag, 'tag') ?? tag)),
    links: linksOf(node),
    guid: textIn(node, 'guid'),
    code: textIn(node, 'code'),
    doNotRecord: isTrue(member(node, 'do_not_record')),
    abstract: textIn(node, 'abstract'),
    long: textIn(node, 'description'),
    status: textIn(node, 'state'),
  }
}

/** What the API does not expand is given by a number. */
const isId = (node: JsonNode | undefined): boolean => node?.type === 'number'

/** Organizers also get what is for their eyes only. */
const isPublic = (node: JsonNode): boolean => booleanOf(member(node, 'is_public')) !== false

function trackOf({ list, tracks }: PretalxFile, node: JsonNode | undefined): string {
  if (isId(node)) return tracks.get(textOf(node)) ?? ''
  if (node && member(node, 'name')) addTrack(list, node)
  return nameOf(node)
}

const linksOf = (node: JsonNode): NonNullable<RawSession['links']> => [
  { rel: 'page', title: '', url: textIn(node, 'url') },
  { rel: 'feedback', title: '', url: textIn(node, 'feedback_url') },
  ...items(member(node, 'resources'))
    .filter(isPublic)
    .map((each) => ({ rel: 'attachment' as const, title: textIn(each, 'description'), url: textIn(each, 'resource') })),
]

/** A speaker who is given by a code, or as an object, which may lack what the list of speakers has. */
function speakerOf({ list, findSpeaker }: PretalxFile, line: number, node: JsonNode): RawSpeaker | undefined {
  if (node.type === 'object') return readSpeaker(node, textIn(node, 'code'), findSpeaker(textIn(node, 'code')))
  const listed = findSpeaker(textOf(node))
  if (!listed) list.warnOnce(line, 'Some speakers are given only by a code; they were left out.')
  return listed
}

function readSpeaker(node: JsonNode, code: string, listed?: RawSpeaker): RawSpeaker {
  const guid = textIn(node, 'guid') || (listed?.guid ?? '')
  return {
    ...{ name: textIn(node, 'name') || (listed?.name ?? ''), position: '', company: '' },
    ...{ ids: [guid, code], guid },
    biography: textIn(node, 'biography') || (listed?.biography ?? ''),
    photo: textIn(node, 'avatar_url', 'avatar') || (listed?.photo ?? ''),
  }
}

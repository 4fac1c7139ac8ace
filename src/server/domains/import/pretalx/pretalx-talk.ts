import type { SessionList } from '../sessions/session-list.ts'
import { type Times, type TimesError, timesByTimestamps } from '../sessions/session-times.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import type { Venue } from '../sessions/venue-clock.ts'
import { items, type JsonNode, member, textIn, textOf } from '../text/json-nodes.ts'

/** The names of rooms (by `id`) and speakers (by `code`), listed apart from the talks that refer to them. */
export interface PretalxDirectory {
  rooms: ReadonlyMap<string, string>
  speakers: ReadonlyMap<string, string>
}

/** The place and time of a talk. */
export interface PretalxSlot {
  room: string
  times: Times | TimesError
}

/** Reads the lists of rooms and speakers; empty if the file has none. */
export function readDirectory(root: JsonNode): PretalxDirectory {
  const named = (list: string, id: string) =>
    new Map(items(member(root, list)).map((each) => [textIn(each, id), textIn(each, 'name')]))
  return { rooms: named('rooms', 'id'), speakers: named('speakers', 'code') }
}

/** Reads `start`, `end` and `room` of a slot, or of a talk that has them itself. */
export function readSlot(
  node: JsonNode,
  talk: JsonNode,
  directory: PretalxDirectory,
  { read, zone }: Venue,
): PretalxSlot {
  const room = member(node, 'room')
  const roomName = room?.type === 'object' ? textOf(member(room, 'name') ?? room) : textOf(room)
  const [roomId, duration, talkDuration] = [textIn(node, 'room_id'), textIn(node, 'duration'), textIn(talk, 'duration')]
  return {
    room: directory.rooms.get(roomName) ?? (roomName || (directory.rooms.get(roomId) ?? '')),
    times: timesByTimestamps(
      read,
      {
        start: textIn(node, 'start'),
        end: textIn(node, 'end'),
        duration: duration || talkDuration,
      },
      zone,
    ),
  }
}

/**
 * Adds a pretalx talk (or submission) to the list.
 *
 * @param talk.day conference day `YYYY-MM-DD`, or `''` if the file has none
 * @param talk.ids the preferred one first
 */
export function addTalk(
  list: SessionList,
  directory: PretalxDirectory,
  talk: { node: JsonNode; line: number; ids: string[]; day: string; slot: PretalxSlot },
): void {
  const { node, line, ids, day, slot } = talk
  list.add({
    line,
    ids,
    title: textIn(node, 'title'),
    speakers: items(member(node, 'speakers')).map((speaker) => speakerOf(list, line, speaker, directory)),
    room: slot.room,
    day,
    times: slot.times,
    abstract: textIn(node, 'abstract'),
    long: textIn(node, 'description'),
    status: textIn(node, 'state'),
  })
}

function speakerOf(list: SessionList, line: number, node: JsonNode, directory: PretalxDirectory): RawSpeaker {
  const name = node.type === 'object' ? textIn(node, 'name') : directory.speakers.get(textOf(node))
  if (name === undefined) list.warnOnce(line, 'Some speakers are given only by a code; they were left out.')
  return { name: name ?? '', position: '', company: '' }
}

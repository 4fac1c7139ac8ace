import type { SourceSpeaker } from '../source.ts'
import { items, type JsonNode, member, textIn, textOf } from './json-nodes.ts'
import type { SessionList } from './session-list.ts'
import { type Refusal, type Times, timesByTimestamps } from './session-times.ts'
import type { ReadTimestamp } from './wall-clock.ts'

/** What a pretalx file keeps beside its talks, by the ids with which the talks name it. */
export interface PretalxNames {
  rooms: ReadonlyMap<string, string>
  speakers: ReadonlyMap<string, string>
}

/** A place and time of a talk; the JSON node is a pretalx slot. */
export interface PretalxSlot {
  room: string
  times: Times | Refusal
}

/** The names of the rooms (by `id`) and speakers (by `code`) that stand beside the talks, where they do. */
export function pretalxNames(root: JsonNode): PretalxNames {
  const named = (list: string, id: string) =>
    new Map(items(member(root, list)).map((each) => [textIn(each, id), textIn(each, 'name')]))
  return { rooms: named('rooms', 'id'), speakers: named('speakers', 'code') }
}

/** Where and when: `start`, `end` and `room` of a slot, or of a talk that carries them itself. */
export function readSlot(node: JsonNode, talk: JsonNode, names: PretalxNames, read: ReadTimestamp): PretalxSlot {
  const room = member(node, 'room')
  const roomName = room?.type === 'object' ? textOf(member(room, 'name') ?? room) : textOf(room)
  return {
    room: names.rooms.get(roomName) ?? (roomName || (names.rooms.get(textIn(node, 'room_id')) ?? '')),
    times: timesByTimestamps(read, {
      start: textIn(node, 'start'),
      end: textIn(node, 'end'),
      duration: textIn(node, 'duration') || textIn(talk, 'duration'),
    }),
  }
}

/**
 * Puts a pretalx talk (or submission) on the list.
 *
 * @param day conference day `YYYY-MM-DD`, or `''` when the file knows none
 * @param ids the best first
 */
export function addTalk(
  list: SessionList,
  names: PretalxNames,
  talk: { node: JsonNode; line: number; ids: string[]; day: string; slot: PretalxSlot },
): void {
  const { node, line, ids, day, slot } = talk
  list.add({
    line,
    ids,
    title: textIn(node, 'title'),
    speakers: items(member(node, 'speakers')).map((speaker) => speakerOf(list, line, speaker, names)),
    room: slot.room,
    day,
    times: slot.times,
    abstract: textIn(node, 'abstract'),
    long: textIn(node, 'description'),
    status: textIn(node, 'state'),
  })
}

function speakerOf(list: SessionList, line: number, node: JsonNode, names: PretalxNames): SourceSpeaker {
  const name = node.type === 'object' ? textIn(node, 'name') : names.speakers.get(textOf(node))
  if (name === undefined) list.once(line, 'The file gives some speakers only by their codes; these were left out.')
  return { name: name ?? '', position: '', company: '' }
}

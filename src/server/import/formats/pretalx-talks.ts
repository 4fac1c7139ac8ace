import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { items, type JsonFile, type JsonNode, member, textIn, textOf } from './json-nodes.ts'
import { addTalk, type PretalxSlot, pretalxNames, readSlot } from './pretalx-talk.ts'
import { type SessionList, sessionList } from './session-list.ts'
import { venueClock } from './venue-clock.ts'

/** The array of talks: the file itself, a page of the API (`results`), or the data of the schedule widget (`talks`). */
const talksOf = (root: JsonNode) => (root.type === 'array' ? root : (member(root, 'results') ?? member(root, 'talks')))

/** Whether a JSON file is a list of pretalx talks or submissions. */
export function isPretalxTalks(root: JsonNode): boolean {
  return items(talksOf(root)).some((talk) => member(talk, 'title') !== undefined && member(talk, 'code') !== undefined)
}

/**
 * Reads what pretalx's REST API answers for talks and submissions, `{ results: [{ code, title, speakers, slot | slots }] }`
 * or a bare array, and the data of its schedule widget. A talk with several slots becomes a session for each of them.
 */
export function parsePretalxTalks({ root, line }: JsonFile, limits: Limits): ParsedProgram {
  const list = sessionList('pretalx talks (JSON)', limits)
  const names = pretalxNames(root)
  const read = venueClock(list, textIn(root, 'timezone', 'time_zone_name'), line(root))
  notePages(list, root, line(root))
  for (const node of items(talksOf(root))) {
    const ids = [textIn(node, 'guid'), textIn(node, 'code'), textIn(node, 'id')].filter((id) => id !== '')
    const slots = slotsOf(node)
    if (slots.length === 0) addTalk(list, names, { node, line: line(node), ids, day: '', slot: unscheduled(node) })
    slots.forEach((slot, index) => {
      // The first slot keeps the bare id, so that a talk that is given once more later stays the same session.
      const slotIds = index === 0 || ids.length === 0 ? ids : [`${ids[0]}-${index + 1}`]
      addTalk(list, names, { node, line: line(node), ids: slotIds, day: '', slot: readSlot(slot, node, names, read) })
    })
  }
  return list.finish()
}

function slotsOf(talk: JsonNode): JsonNode[] {
  const slot = member(talk, 'slot')
  const slots = [...(slot ? [slot] : []), ...items(member(talk, 'slots'))].filter(({ type }) => type === 'object')
  return slots.length === 0 && member(talk, 'start') ? [talk] : slots
}

function unscheduled(talk: JsonNode): PretalxSlot {
  const isReferred = items(member(talk, 'slots')).some((slot) => textOf(slot) !== '')
  const hint = ' because the file holds only the numbers of its slots (fetch it with ?expand=slots,slots.room,speakers)'
  return { room: '', times: `has no start time${isReferred ? hint : ''}` }
}

function notePages(list: SessionList, root: JsonNode, line: number): void {
  if (!member(root, 'next') && !member(root, 'previous')) return
  const here = items(member(root, 'results')).length
  list.problem(line, `The file is one page of several: it holds ${here} of ${textIn(root, 'count') || 'the'} talks.`)
}

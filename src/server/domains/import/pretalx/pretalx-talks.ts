import type { Limits } from '../../../../contract/limits.ts'
import { quote } from '../../../core/clean-text.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList, type SessionList } from '../sessions/session-list.ts'
import type { ParsedProgram } from '../source.ts'
import { items, type JsonFile, type JsonNode, member, textIn, textOf } from '../text/json-nodes.ts'
import { type PretalxSlot, readPretalxFile, readSlot, readTalk } from './pretalx-talk.ts'

/** The array of talks: the file itself, a page of the API (`results`), or the data of the schedule widget (`talks`). */
const talksOf = (root: JsonNode) => (root.type === 'array' ? root : (member(root, 'results') ?? member(root, 'talks')))

/** Slots of a talk that are imported; a conference has a few days. */
const maxSlots = 100

/** Whether a JSON file is a list of pretalx talks or submissions. */
export function isPretalxTalks(root: JsonNode): boolean {
  return items(talksOf(root)).some((talk) => member(talk, 'title') !== undefined && member(talk, 'code') !== undefined)
}

/**
 * Reads the talks or submissions of pretalx's REST API, `{ results: [{ code, title, speakers, slot | slots }] }` or a
 * bare array, and the data of its schedule widget. A talk with several slots becomes one session per slot.
 */
export function parsePretalxTalks(json: JsonFile, limits: Limits, options: ReadingOptions): ParsedProgram {
  const { root, line } = json
  const list = createSessionList('pretalx talks (JSON)', limits)
  const file = readPretalxFile(list, json, options)
  warnAboutPages(list, root, line(root))
  for (const node of items(talksOf(root))) {
    const ids = [textIn(node, 'guid'), textIn(node, 'code'), textIn(node, 'id')].filter((id) => id !== '')
    const slots = slotsOf(node)
    const talk = { ...readTalk(file, node, line(node)), day: '' }
    if (slots.length > maxSlots)
      list.warn(
        line(node),
        `Session ${quote(talk.title)} has ${slots.length} slots; only the first ${maxSlots} were imported.`,
      )
    if (slots.length === 0) list.add({ ...talk, ids, ...missingSlot(node) })
    for (const [index, slot] of slots.slice(0, maxSlots).entries()) {
      // The first slot keeps the plain ID, so a talk that gets a second slot later stays the same session.
      const slotIds = index === 0 || ids.length === 0 ? ids : [`${ids[0]}-${index + 1}`]
      list.add({ ...talk, ids: slotIds, ...readSlot(file, slot, node) })
    }
  }
  return list.finish()
}

function slotsOf(talk: JsonNode): JsonNode[] {
  const slot = member(talk, 'slot')
  const slots = [...(slot ? [slot] : []), ...items(member(talk, 'slots'))].filter(({ type }) => type === 'object')
  return slots.length === 0 && member(talk, 'start') ? [talk] : slots
}

function missingSlot(talk: JsonNode): PretalxSlot {
  const hasSlotIds = items(member(talk, 'slots')).some((slot) => textOf(slot) !== '')
  const hint = ' because the file has only the ids of its slots (fetch it with ?expand=slots,slots.room,speakers)'
  return { room: '', times: `has no start time${hasSlotIds ? hint : ''}` }
}

function warnAboutPages(list: SessionList, root: JsonNode, line: number): void {
  const [otherPage, count] = [textIn(root, 'next', 'previous'), textIn(root, 'count')]
  if (otherPage === '') return
  const onPage = items(member(root, 'results')).length
  list.warn(line, `The file is one page of several: it has ${onPage} of ${count || 'the'} talks.`)
}

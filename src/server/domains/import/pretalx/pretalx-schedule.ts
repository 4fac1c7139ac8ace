import type { Limits } from '../../../../contract/limits.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList } from '../sessions/session-list.ts'
import type { ParsedProgram } from '../source.ts'
import { items, type JsonFile, type JsonNode, member, textIn } from '../text/json-nodes.ts'
import { readPretalxFile, readSlot, readTalk } from './pretalx-talk.ts'

const expand = 'add ?expand=slots,slots.room,slots.submission,slots.submission.speakers to its address'

const isSlot = (node: JsonNode) =>
  (node.children ?? []).some(({ children }) => children?.[0]?.value === 'submission') &&
  member(node, 'start') !== undefined

/** Whether a JSON file is a schedule of pretalx's API, or a page of its slots. */
export const isPretalxSchedule = (root: JsonNode): boolean =>
  member(root, 'slots')?.type === 'array' || items(member(root, 'results')).some(isSlot)

/**
 * Reads a schedule of pretalx's REST API (`/schedules/latest/`): slots with a submission, or without one for a break.
 * In older versions each of the slots is a talk with its slot, and the breaks are listed apart.
 */
export function parsePretalxSchedule(json: JsonFile, limits: Limits, options: ReadingOptions): ParsedProgram {
  const { root, line } = json
  const list = createSessionList('pretalx schedule (JSON)', limits)
  const file = readPretalxFile(list, json, options)
  const nodes = [...items(member(root, 'slots') ?? member(root, 'results')), ...items(member(root, 'breaks'))]
  const slots = nodes.filter(({ type }) => type === 'object')
  const first = nodes[0]
  if (first && slots.length === 0)
    list.warn(line(first), `The file has only the numbers of its slots (${nodes.length}). Fetch it again: ${expand}.`)
  for (const node of slots) {
    const submission = member(node, 'submission')
    if (submission && submission.type !== 'object') {
      list.warnOnce(line(node), `The file has only the codes of its talks. Fetch it again: ${expand}.`)
      continue
    }
    const talk = submission ?? node
    const slot = readSlot(file, member(node, 'slot') ?? node, talk)
    if (member(talk, 'title')) {
      const ids = [textIn(talk, 'guid'), textIn(talk, 'code'), textIn(talk, 'id')]
      list.add({ ...readTalk(file, talk, line(node)), ids, day: '', ...slot })
    } else {
      const id = textIn(node, 'id')
      list.add({
        ...{ line: line(node), ids: id === '' ? [] : [`slot-${id}`], title: textIn(node, 'description') },
        ...{ speakers: [], ...slot, day: '', abstract: '', long: '', status: '' },
      })
    }
  }
  return list.finish()
}

import type { Limits } from '../../../../contract/limits.ts'
import { minuteMs } from '../../../core/time-units.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList } from '../sessions/session-list.ts'
import { timesByDuration } from '../sessions/session-times.ts'
import type { ParsedProgram } from '../source.ts'
import { entries, entriesByKey, type JsonFile, type JsonNode, member, textIn } from '../text/json-nodes.ts'
import { readIsoDate, type Wall } from '../times/wall-clock.ts'
import { type PretalxFile, type PretalxSlot, readPretalxFile, readSlot, readTalk } from './pretalx-talk.ts'

const isDay = (name: string) => /^\d{4}-\d\d-\d\d$/.test(name)
const isMinute = (name: string) => /^\d{1,4}$/.test(name)

const isGrid = (node: JsonNode) => entries(node).length > 0 && entries(node).every(({ name }) => isDay(name))

/** Whether a JSON file has at least one grid of day → minute → room → talk. */
export const isPretalxGrid = (root: JsonNode): boolean => entries(root).some(({ value }) => isGrid(value))

/**
 * Reads the grids that some conference sites (such as AFPy's PyConFR) derive from pretalx: day → minute of the day →
 * room ID → talk, possibly several in one file (`schedule`, `sprints`), and day → minute → entry for breaks (`extra`).
 */
export function parsePretalxGrid(json: JsonFile, limits: Limits, options: ReadingOptions): ParsedProgram {
  const { root, line } = json
  const list = createSessionList('day grid derived from pretalx (JSON)', limits)
  const file = readPretalxFile(list, json, options)
  for (const { value: grid } of entries(root).filter(({ value }) => isGrid(value))) {
    for (const { name: day, value: minutes } of entriesByKey(grid, 'day')) {
      for (const { name: minute, value: cell } of entriesByKey(minutes, 'talk')) {
        if (!isMinute(minute)) {
          list.warn(line(cell), `“${minute}” is not a minute of the day; its entries were skipped.`)
          continue
        }
        const talks = member(cell, 'title') ? [{ name: '', value: cell }] : entriesByKey(cell, 'talk')
        for (const { name: room, value: node } of talks) {
          if (node.type !== 'object') continue // an empty cell of the grid
          const ids = [textIn(node, 'guid'), textIn(node, 'code'), textIn(node, 'id')]
          const slot = readTalkSlot(file, { node, day, minute: Number(minute), room })
          list.add({ ...readTalk(file, node, line(node)), ids, day, ...slot })
        }
      }
    }
  }
  return list.finish()
}

/** The talk's own slot, else the one given by its position in the grid. */
function readTalkSlot(
  file: PretalxFile,
  { node, day, minute, room }: { node: JsonNode; day: string; minute: number; room: string },
): PretalxSlot {
  const slot = member(node, 'slot')
  if (slot) return readSlot(file, slot, node)
  const midnight: Wall | undefined = readIsoDate(day)
  return {
    room: file.rooms.get(room) ?? room,
    times:
      midnight === undefined
        ? `is listed under “${day}”, which is not a valid date`
        : timesByDuration(midnight + minute * minuteMs, textIn(node, 'duration'), file.venue.zone, ''),
  }
}

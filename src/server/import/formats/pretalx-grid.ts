import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { entries, type JsonFile, type JsonNode, member, textIn } from './json-nodes.ts'
import { addTalk, type PretalxSlot, pretalxNames, readSlot } from './pretalx-talk.ts'
import { type SessionList, sessionList } from './session-list.ts'
import { timesByDuration } from './session-times.ts'
import { venueClock } from './venue-clock.ts'
import { minuteMs, readIsoDate, type Wall } from './wall-clock.ts'

const isDay = (name: string) => /^\d{4}-\d\d-\d\d$/.test(name)
const isMinute = (name: string) => /^\d{1,4}$/.test(name)

const isGrid = (node: JsonNode) => entries(node).length > 0 && entries(node).every(({ name }) => isDay(name))

/** Whether a JSON file holds at least one grid of day → minute → room → talk. */
export const isPretalxGrid = (root: JsonNode): boolean => entries(root).some(({ value }) => isGrid(value))

/**
 * Reads the grids that some conference sites (AFPy's PyConFR for one) derive from pretalx: day → minute of the day → room
 * id → talk, several of them in one file (`schedule`, `sprints`), and day → minute → entry for breaks (`extra`).
 */
export function parsePretalxGrid(file: JsonFile, limits: Limits): ParsedProgram {
  const { root, line } = file
  const list = sessionList('day grid derived from pretalx (JSON)', limits)
  const zone = textIn(root, 'time_zone_name', 'timezone')
  const context = { list, names: pretalxNames(root), read: venueClock(list, zone, line(root)) }
  for (const { value: grid } of entries(root).filter(({ value }) => isGrid(value))) {
    for (const { name: day, value: minutes } of entries(grid)) {
      for (const { name: minute, value: cell } of entries(minutes)) {
        if (!isMinute(minute)) {
          list.problem(line(cell), `“${minute}” is not a minute of the day; what stands under it was left out.`)
          continue
        }
        const talks = member(cell, 'title') ? [{ name: '', value: cell }] : entries(cell)
        for (const { name: room, value: node } of talks) {
          if (node.type !== 'object') continue // an empty place in the grid
          const ids = [textIn(node, 'guid'), textIn(node, 'code'), textIn(node, 'id')]
          const slot = slotOf(context, { node, day, minute: Number(minute), room })
          addTalk(list, context.names, { node, line: line(node), ids, day, slot })
        }
      }
    }
  }
  return list.finish()
}

interface Context {
  list: SessionList
  names: ReturnType<typeof pretalxNames>
  read: ReturnType<typeof venueClock>
}

/** The slot that the talk states, else the one that its place in the grid implies. */
function slotOf(
  { names, read }: Context,
  { node, day, minute, room }: { node: JsonNode; day: string; minute: number; room: string },
): PretalxSlot {
  const slot = member(node, 'slot')
  if (slot) return readSlot(slot, node, names, read)
  const midnight: Wall | undefined = readIsoDate(day)
  return {
    room: names.rooms.get(room) ?? room,
    times:
      midnight === undefined
        ? `stands under “${day}”, which is not a date`
        : timesByDuration(midnight + minute * minuteMs, textIn(node, 'duration')),
  }
}

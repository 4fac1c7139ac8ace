import { quote } from '../../../core/clean-text.ts'
import type { ImportWarning } from '../source.ts'

const noRoom = /^(?:tb[acd]|to be (?:announced|confirmed|decided|determined)|n\/a|[-–—?]+)\.?$/i

/** Reads the rooms of one file, in which a word may only say that there is none yet. */
export function createRoomReader() {
  const missing: { line: number; written: string }[] = []
  return {
    /** @param written on one line @returns `''` for none */
    read: (line: number, written: string): string => {
      if (!noRoom.test(written)) return written
      missing.push({ line, written })
      return ''
    },
    describeMissing: (): ImportWarning[] => {
      const [first, ...others] = missing
      if (!first) return []
      const sessions = others.length === 0 ? '1 session has' : `${missing.length.toLocaleString('en')} sessions have`
      return [{ line: first.line, message: `${sessions} no room: ${quote(first.written)} is none.` }]
    },
  }
}

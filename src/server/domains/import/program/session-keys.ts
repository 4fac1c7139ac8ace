import { truncate } from '../text/clean.ts'
import type { EventRow } from './session-event.ts'

/** Leaves room for a number within the 255 characters of a key. */
const maxNameLength = 240

const nameOf = (...parts: string[]): string => truncate(parts.filter(Boolean).join(' / ').toLowerCase(), maxNameLength)

/** Whether an event was imported without an id, so that its key was generated from its title. */
export function hasGeneratedKey({ source_key, title }: Pick<EventRow, 'source_key' | 'title'>): boolean {
  const start = nameOf(title)
  return source_key === start || source_key.startsWith(`${start} `)
}

/**
 * Creates a function that generates the key of a session without an id from its title and first speaker, with a number
 * if that key is taken. The key only has to be unique: such a session is recognized by its values (`matchSessions`).
 * @param taken the keys in use; generated ones are added
 */
export function createKeyGenerator(taken: Set<string>): (title: string, speaker: string) => string {
  const lastNumbers = new Map<string, number>()
  return (title, speaker) => {
    const name = nameOf(title, speaker)
    let number = lastNumbers.get(name) ?? 0
    let key: string
    do {
      number += 1
      key = number === 1 ? name : `${name} (${number})`
    } while (taken.has(key))
    lastNumbers.set(name, number)
    taken.add(key)
    return key
  }
}

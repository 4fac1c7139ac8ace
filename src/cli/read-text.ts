import { readFile } from 'node:fs/promises'
import { OperatorError } from './operator-error.ts'

/**
 * Reads a text file: UTF-8 or UTF-16 by its byte order mark, UTF-8 without one, and Windows-1252 (what spreadsheets
 * in many countries still write) when it is not valid UTF-8.
 * @throws OperatorError when there is no such file
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause) => {
    throw new OperatorError(`Cannot read ${path}.`, { cause })
  })
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

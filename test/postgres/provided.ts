import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { hasCode } from '../../src/server/core/error-code.ts'

/** The PostgreSQL server of the projects that run on it. */
export interface Provided {
  /** Set if it could be started. */
  server?: { url: string }
  /** Why it could not be started. */
  unavailable?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A file with the server, written once it has started. Tests on SQLite need not wait for it. */
    postgres: string
  }
}

/** Less than the timeout of a hook. */
const deadlineMs = 25_000

let provided: Promise<Provided> | undefined

/** @returns undefined in the projects that run on SQLite */
export async function waitForPostgres(): Promise<Provided | undefined> {
  const file = inject('postgres')
  if (file === undefined) return undefined
  provided ??= readWhenWritten(file)
  return provided
}

async function readWhenWritten(file: string): Promise<Provided> {
  for (const begun = performance.now(); performance.now() - begun < deadlineMs; await sleep(20))
    try {
      return JSON.parse(await readFile(file, 'utf8'))
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  return { unavailable: 'it took too long to start' }
}

/** Writes the file atomically. */
export async function providePostgres(file: string, provided: Provided): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(provided))
  await rename(`${file}.new`, file)
}

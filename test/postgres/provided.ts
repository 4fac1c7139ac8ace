import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { hasCode } from '../../src/server/core/error-code.ts'

/** What the tests of the project `postgres` are told. */
export interface Provided {
  /** The server that they share, where it could be started. */
  server?: { url: string }
  /** Why it could not. */
  unavailable?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The file in which it will be said: meanwhile the tests of the other project go on. */
    postgres: string
  }
}

/** Less than a hook may take. */
const deadlineMs = 25_000

let said: Promise<Provided> | undefined

/** @returns undefined in the other project */
export async function providedPostgres(): Promise<Provided | undefined> {
  const file = inject('postgres')
  if (file === undefined) return undefined
  said ??= untilSaid(file)
  return said
}

async function untilSaid(file: string): Promise<Provided> {
  for (const begun = performance.now(); performance.now() - begun < deadlineMs; await sleep(20))
    try {
      return JSON.parse(await readFile(file, 'utf8'))
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  return { unavailable: 'it took too long to start' }
}

/** Says it, all at once. */
export async function providePostgres(file: string, provided: Provided): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(provided))
  await rename(`${file}.new`, file)
}

import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { waitUntil } from '../wait-until.ts'

/** The PostgreSQL server of the projects that run on it. */
export interface PostgresAvailability {
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

let provided: Promise<PostgresAvailability> | undefined

/** @returns undefined in the projects that run on SQLite */
export async function waitForPostgres(): Promise<PostgresAvailability | undefined> {
  const file = inject('postgres')
  if (file === undefined) return undefined
  provided ??= readWhenWritten(file)
  return provided
}

async function readWhenWritten(file: string): Promise<PostgresAvailability> {
  await waitUntil('PostgreSQL has started, or cannot be', () => existsSync(file))
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Writes the file atomically. */
export async function providePostgres(file: string, provided: PostgresAvailability): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(provided))
  await rename(`${file}.new`, file)
}

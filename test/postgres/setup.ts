import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/server/db/open.ts'
import { installed } from './binaries.ts'
import { PostgresServer } from './server.ts'

/** What the tests of the project `postgres` are told. */
export interface Provided {
  /** The server that they share, where it could be started. */
  server?: { url: string }
  /** Why it could not. */
  unavailable?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Provided
  }
}

/**
 * Starts the PostgreSQL that the tests share, with a database in it that is migrated already. It is the one from npm, or
 * with `TEST_POSTGRES=installed` the one of the machine.
 */
export default async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  try {
    const binaries = process.env.TEST_POSTGRES === 'installed' ? await installed() : undefined
    if (process.env.TEST_POSTGRES === 'installed' && !binaries) throw new Error('this machine has none installed')
    const server = await PostgresServer.start({ binaries })
    console.log(`Tests named postgres run on PostgreSQL ${server.version}.`)
    await server.query('create database template')
    const template = await openDatabase({ kind: 'server', url: server.url('template') }, () => {})
    await template.close()
    provide('postgres', { server: { url: server.url() } })
    return () => server[Symbol.asyncDispose]()
  } catch (error) {
    const unavailable = error instanceof Error ? error.message : String(error)
    console.error(`Tests named postgres are SKIPPED, as PostgreSQL cannot be started here: ${unavailable}`)
    provide('postgres', { unavailable })
    return undefined
  }
}

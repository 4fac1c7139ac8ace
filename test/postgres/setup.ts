import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/server/db/open.ts'
import { installed } from './binaries.ts'
import { providePostgres } from './provided.ts'
import { PostgresServer } from './server.ts'

/**
 * Starts the PostgreSQL server that the tests share, with a migrated template database. It is the one of the npm package,
 * or with `TEST_POSTGRES=installed` the one of the machine. Only tests that use it wait for it.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'summit-postgres-provided-'))
  const file = join(folder, 'provided')
  provide('postgres', file)
  const starting = start().then(
    async (server) => {
      await providePostgres(file, { server: { url: server.url() } })
      return server
    },
    async (error) => {
      const unavailable = error instanceof Error ? error.message : String(error)
      console.error(`Tests named postgres are SKIPPED, as PostgreSQL cannot be started here: ${unavailable}`)
      await providePostgres(file, { unavailable })
    },
  )
  return async () => {
    await (await starting)?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
}

async function start(): Promise<PostgresServer> {
  const binaries = process.env.TEST_POSTGRES === 'installed' ? await installed() : undefined
  if (process.env.TEST_POSTGRES === 'installed' && !binaries)
    throw new Error('PostgreSQL is not installed on this machine')
  const server = await PostgresServer.start({ binaries })
  console.log(`Tests named postgres run on PostgreSQL ${server.version}.`)
  await server.query('create database template')
  const template = await openDatabase({ kind: 'server', url: server.url('template') }, () => {})
  await template.close()
  return server
}

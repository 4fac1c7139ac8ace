import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { markInitialized } from '../../src/server/db/initialized.ts'
import { openDatabase } from '../../src/server/db/open.ts'
import { type Binaries, copyEmbeddedBinaries, findInstalledBinaries } from './binaries.ts'
import { providePostgres } from './provided.ts'
import { PostgresServer } from './server.ts'

/**
 * Starts the PostgreSQL server that the tests share, with a migrated template database. It is the one of the npm
 * package, or with `TEST_POSTGRES=installed` the one of the machine. Only tests that use it wait for it.
 */
export default async function setup({ config, provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'summit-postgres-provided-'))
  const file = join(folder, 'provided')
  provide('postgres', file)
  const starting = start(folder, config.env.TMPDIR).then(
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

/**
 * @param parent where to create the folder of the data. Programs may not be executable there, so they are in `folder`.
 */
async function start(folder: string, parent: string | undefined): Promise<PostgresServer> {
  const server = await PostgresServer.start({ binaries: await findBinaries(folder), parent })
  console.log(`Tests named postgres run on PostgreSQL ${server.version}.`)
  await server.query('create database template')
  const target = { kind: 'server', url: server.url('template') } as const
  const template = await openDatabase(target, () => {})
  // Marked as in a database that another test has used, and in the file that tests on SQLite copy.
  await markInitialized(target, template)
  await template.close()
  return server
}

async function findBinaries(folder: string): Promise<Binaries> {
  if (process.env.TEST_POSTGRES !== 'installed') {
    // The server may run as another user.
    await chmod(folder, 0o755)
    return copyEmbeddedBinaries(folder)
  }
  const binaries = await findInstalledBinaries()
  if (!binaries) throw new Error('PostgreSQL is not installed on this machine')
  return binaries
}

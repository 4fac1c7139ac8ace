import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { markInitialized } from '../../src/server/storage/db/initialized.ts'
import { openDatabase } from '../../src/server/storage/db/open.ts'
import { chooseBinaries } from './binaries.ts'
import { providePostgres } from './provided.ts'
import { PostgresServer } from './server.ts'

/**
 * Starts the PostgreSQL server that the tests share, with a migrated template database. It comes from the npm package,
 * or in a project with `TEST_POSTGRES=installed` from the machine. Only tests that use it wait for it.
 */
export default async function setup({ name, config, provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'summit-postgres-provided-'))
  const file = join(folder, 'provided')
  provide('postgres', file)
  const starting = start(folder, config.env).then(
    async (server) => {
      console.log(`The tests of ${name} run on PostgreSQL ${server.version}.`)
      await providePostgres(file, { server: { url: server.url() } })
      return server
    },
    async (error) => {
      const unavailable = error instanceof Error ? error.message : String(error)
      console.error(`The tests of ${name} are SKIPPED, as PostgreSQL cannot be started here: ${unavailable}`)
      await providePostgres(file, { unavailable })
    },
  )
  return async () => {
    await (await starting)?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
}

/**
 * @param folder for copied programs, which may not be executable in `TMPDIR`
 * @param env of the project; the data is in its `TMPDIR`
 */
async function start(folder: string, env: Partial<Record<string, string>>): Promise<PostgresServer> {
  // The server may run as another user.
  await chmod(folder, 0o755)
  const binaries = await chooseBinaries(folder, env)
  const server = await PostgresServer.start({ binaries, parent: env.TMPDIR })
  await server.query('create database template')
  const target = { kind: 'server', url: server.url('template') } as const
  const template = await openDatabase(target, () => {})
  // Marked as in a database that another test has used, and in the file that tests on SQLite copy.
  await markInitialized(target, template)
  await template.close()
  return server
}

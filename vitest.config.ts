import { statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'

/** `npm run test:long` also runs what takes minutes. */
const isLong = process.env.TEST_LONG === '1'

/** Linux keeps this folder in memory. */
const inMemory = '/dev/shm'

/** Whether there is such a folder, and not the 64 MB of a container. */
function hasMemoryFor(bytes: number): boolean {
  try {
    const { bsize, bavail } = statfsSync(inMemory)
    return bsize * bavail > bytes
  } catch {
    return false
  }
}

/** No quick test cuts the power, so none has to wait for a disk; those that run for long do, as a summit does. */
const temporary = isLong || !hasMemoryFor(2e9) ? {} : { TMPDIR: inMemory }

/** What a client or an organizer sees has to be the same on every engine. */
const domains = [
  'src/server/{feedback,participants}/*.test.ts',
  'src/server/files/updates.test.ts',
  'src/server/newsfeed/{topics,comments,likes,many-files}.test.ts',
  'src/server/program/program.test.ts',
  'src/server/http/idempotency.test.ts',
  'src/server/db/{group-commit,prepared}.test.ts',
  'src/server/cache/response-cache.test.ts',
]

/** On the second engine these take as long again, and seldom find what the domains' own tests do not. */
const rest = [
  'src/server/{http,import}/**/*.test.ts',
  'src/server/newsfeed/*.test.ts',
  'src/server/files/{serving,uploads}.test.ts',
  'src/server/program/pictures.test.ts',
  'src/{cli,client}/*.test.ts',
  'test/{contract,hostile-http}.test.ts',
  'test/fuzz/*.test.ts',
]

const onPostgres = [
  'src/server/db/postgres/*.test.ts',
  'src/server/newsfeed/present.test.ts',
  'test/instances/*.test.ts',
  'test/faults/{restarted-database,rolling-restart}.long.test.ts',
]

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, ...(isLong ? [] : ['**/*.long.test.ts'])],
    // Each file builds its own server and database; nothing is shared that a file of its own process would protect.
    isolate: false,
    // Tests make much that is soon forgotten: with more room for it, less is looked through and copied.
    execArgv: ['--max-semi-space-size=64'],
    // One more than cores, as some wait for a clock or a disk.
    maxWorkers: 3,
    testTimeout: 20_000,
    env: temporary,
    hookTimeout: 30_000,
    reporters: ['default', './test/plain-reporter.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'sqlite', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: onPostgres },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...domains, ...(isLong ? rest : []), ...onPostgres],
          globalSetup: 'test/postgres/setup.ts',
          setupFiles: 'test/postgres/skip.ts',
          testTimeout: 60_000,
          // A request takes longer than in a folder; what is made up at random does not depend on where it is kept.
          env: { FUZZ_RUNS: process.env.FUZZ_RUNS ?? '200' },
        },
      },
    ],
  },
})

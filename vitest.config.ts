import { statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { counts } from './test/faults/counts.ts'
import { Sequencer } from './test/sequencer.ts'

const longTests = '**/*.long.test.ts'

/** Tests of code that depends on the database engine, directly or through the server. */
const onAnyEngine = [
  'src/server/{domains,http,log}/**/*.test.ts',
  'src/server/storage/db/*.test.ts',
  'src/server/lifecycle/**/{log-heads,retention,setup-link,upgrade,upgrade-program}{,.long}.test.ts',
  'src/cli/*.test.ts',
  'test/{access,contract}/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/web/audience{,.long}.test.ts',
  'test/web/console/draft-cache.test.ts',
]

/**
 * Of the tests in `onAnyEngine`, those whose subject does not involve the engine: the bytes of requests and responses,
 * the formats of files, and how those of a program are compared; HTML, browsers, proxies and identity providers; and who
 * finishes the steps of an erasure, which are rows. They run on SQLite only.
 */
const onSqliteOnly = [
  'src/server/http/{request,response}/*.test.ts',
  'src/server/http/{pipelining,upgrade}{,.long}.test.ts',
  'src/server/http/{pages,oidc}/**/*.test.ts',
  'src/server/http/operations/docs.long.test.ts',
  'src/server/domains/import/{csv,formats,frab,icalendar,pretalx,sessions,text,times,workbook}/*.test.ts',
  'src/server/domains/import/{by-request/import-program,images/images}.long.test.ts',
  'src/server/domains/program/{html,plain-text}{,.long}.test.ts',
  'src/server/domains/program-export/{frab-files,releases-atom,schedule-ics,sessions-csv,sessionize}.test.ts',
  'test/access/{browser-policy,oidc-forgeries,oidc-in-browser,oidc-providers}{,.long}.test.ts',
  'test/access/{erasure-faults,passkeys-in-browser,proxy-logs}{,.long}.test.ts',
  'src/cli/{edit-sessions,encodings,import-parts}{,.long}.test.ts',
  'src/cli/{invitation-sheet,program-export}.long.test.ts',
  'test/fuzz/json{,.long}.test.ts',
]

/** Tests of the PostgreSQL engine itself, and of several servers that share it. */
const onPostgresOnly = [
  'src/server/storage/db/postgres/*.test.ts',
  'src/server/domains/newsfeed/present.test.ts',
  'test/instances/*.test.ts',
  'test/faults/{restarted-database,rolling-restart}.long.test.ts',
]

/**
 * Long tests that do not run on the installed version of PostgreSQL: all but those of connections, failover, statistics
 * and writes in `src/server/storage/db/postgres`.
 */
const onEmbeddedPostgresOnly = [
  '{src/cli,test}/**/*.long.test.ts',
  'src/server/!(storage)/**/*.long.test.ts',
  // Plans without values are explained from version 16 on.
  'src/server/storage/db/{plans,scratch-folder}.long.test.ts',
  // Starts either version by itself.
  'src/server/storage/db/postgres/opening.long.test.ts',
]

/**
 * Of the tests in `onAnyEngine`, the quick ones whose subject is the database: its transactions and limits, and reads
 * after a write. The others run on PostgreSQL with the long tests, as most of what they exercise is the same code on
 * either engine.
 */
const quickOnPostgres = [
  'src/server/storage/db/*.test.ts',
  'src/server/{http/cache,log/changes,log/ledger}/*.test.ts',
  'src/server/domains/files/deleted-files.test.ts',
  'src/server/domains/newsfeed/topic-block-store.test.ts',
  'test/access/revoked-keys.test.ts',
]

/** Tests of the interface specification, which also run with a client of one participant. */
const atPersonalUrl = [
  'src/server/domains/{feedback,participants}/*.test.ts',
  'src/server/domains/files/{conditional-requests,deleted-files,file-names,rejected-uploads,serving,updates}.test.ts',
  'src/server/domains/files/{uploaded-bytes,uploaded-links,uploads}.test.ts',
  'src/server/http/{idempotency,idempotency-keys}.test.ts',
  'src/server/http/request/{forms,limits,multipart}.test.ts',
  'src/server/domains/newsfeed/{big-world,comments,likes,many-files,topic-block-store,topics}.test.ts',
  'src/server/domains/program/{pictures,program}.test.ts',
  'test/contract/*.test.ts',
  'test/fuzz/{json,text}.test.ts',
  'test/http/{headers,large-bodies,malformed-requests,methods,multipart-uploads,nested-json,paths}.test.ts',
]

/** Linux keeps this folder in memory. */
const inMemory = '/dev/shm'

/** Whether there is such a folder, and it is not limited to 64 MB as in a container. */
function hasMemoryFor(bytes: number): boolean {
  try {
    const { bsize, bavail } = statfsSync(inMemory)
    return bsize * bavail > bytes
  } catch {
    return false
  }
}

/** Quick tests do not cut the power, so they need not wait for a disk. */
const quickEnv = hasMemoryFor(2e9) ? { TMPDIR: inMemory } : {}

/** Long tests start many processes one after the other, next to other tests that do, on a machine that may be slow. */
const patient = { testTimeout: 600_000, hookTimeout: 600_000 }

/** A statement whose parameters grow with the data fails in every test with enough rows. */
const watchQueries = 'test/watch-queries.ts'

/** The first test of a process waits until PostgreSQL has started. */
const postgres = {
  globalSetup: ['test/web/build.ts', 'test/postgres/setup.ts'],
  setupFiles: [watchQueries, 'test/postgres/skip.ts'],
  ...patient,
}

export default defineConfig({
  test: {
    // Each file starts its own server and database, so a process of its own would protect nothing.
    isolate: false,
    // Tests allocate many short-lived objects: with a larger young generation, fewer of them are copied.
    execArgv: ['--max-semi-space-size=64'],
    // One more than cores, as some tests wait for a clock or a disk.
    maxWorkers: 3,
    // Processes that the tests start need not compile their source files again.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    // For a test that hangs: on a machine that is busy with other things, one of a second may take half a minute.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most waits end sooner than the default interval of 50 ms. The timeout is a safety net, which must not end the wait
    // for something slow on a busy machine; below every testTimeout.
    expect: { poll: { interval: 10, timeout: 45_000 } },
    globalSetup: 'test/web/build.ts',
    setupFiles: watchQueries,
    sequence: { sequencer: Sequencer },
    reporters: ['default', './test/plain-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          env: quickEnv,
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, longTests, ...onPostgresOnly],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          env: quickEnv,
          include: [...quickOnPostgres, ...onPostgresOnly],
          exclude: [...configDefaults.exclude, longTests],
          ...postgres,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [longTests],
          exclude: [...configDefaults.exclude, ...onPostgresOnly],
          ...patient,
        },
      },
      {
        // The tests whose faults are caused more often for a release.
        extends: true,
        test: {
          name: 'release',
          env: { TEST_FAULTS: 'release' },
          include: Object.keys(counts),
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'long-at-personal-url',
          env: { ...quickEnv, TEST_AT: 'personal-url' },
          setupFiles: [watchQueries, 'test/access/expect-differences.ts'],
          include: atPersonalUrl,
          exclude: [...configDefaults.exclude, longTests],
        },
      },
      {
        // Every test that depends on the engine, quick or long.
        extends: true,
        test: {
          name: 'long-postgres',
          include: [...onAnyEngine, ...onPostgresOnly],
          exclude: [...configDefaults.exclude, ...onSqliteOnly],
          ...postgres,
        },
      },
      {
        // On the installed PostgreSQL, usually an older version.
        extends: true,
        test: {
          name: 'long-installed-postgres',
          env: { TEST_POSTGRES: 'installed' },
          include: [...onAnyEngine, ...onPostgresOnly],
          exclude: [...configDefaults.exclude, ...onSqliteOnly, ...onEmbeddedPostgresOnly],
          ...postgres,
        },
      },
    ],
  },
})

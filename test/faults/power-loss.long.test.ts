import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { runSummitInProcess } from '../command.ts'
import { filesBelow } from '../files-below.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { countIn, timeoutFor } from './counts.ts'
import { createDataFolder } from './create-data-folder.ts'
import { DataFolder, ofRequests, readBlobs, readFacts, zeroIds } from './data-folder.ts'
import { type DiskChange, readDiskTrace } from './disk-trace.ts'
import { ExpectedData, expectedRowFacts, findDifferences } from './expected.ts'
import { FaultyDisk, faultyDiskMissing } from './faulty-disk.ts'
import { Ledger } from './ledger.ts'
import { chooseSeed, createRandom, type Random } from './random.ts'
import { startServer, type Target } from './server-process.ts'
import { SimulatedDisk, writeFiles } from './simulated-disk.ts'
import type { Write, WriteResponse } from './write.ts'
import { createWriters } from './writers.ts'

if (faultyDiskMissing) console.log(`skipped tests of power cuts: ${faultyDiskMissing}`)

const cuts = countIn(import.meta.filename)

/** Enough for several checkpoints, which overwrite the log from its beginning. */
const writes = 1_500
const writers = 8

/** A write that was acknowledged. */
interface Acknowledged {
  write: Write
  response: WriteResponse
  /** The size of the record when its response arrived. */
  at: number
}

/** A data folder in which the statements of a test are recorded, too, like those of the server. */
class RecordedFolder extends DataFolder {
  readonly #disk: FaultyDisk

  constructor(dir: string, disk: FaultyDisk) {
    super(dir)
    this.#disk = disk
  }

  override async execute(sql: string): Promise<void> {
    const program = `const [path, sql] = process.argv.slice(1)
      new (require('node:sqlite').DatabaseSync)(path, { timeout: 10_000 }).exec(sql)`
    const options = { env: { ...process.env, ...this.#disk.settings } }
    await promisify(execFile)(process.execPath, ['-e', program, join(this.dir, 'summit.db'), sql], options)
  }
}

class RecordingLedger extends Ledger {
  readonly acknowledged: Acknowledged[] = []
  readonly #disk: FaultyDisk

  constructor(folder: DataFolder, disk: FaultyDisk) {
    super(folder)
    this.#disk = disk
  }

  override async write(server: Target, write: Write): Promise<WriteResponse | undefined> {
    const response = await super.write(server, write)
    if (response?.ok) this.acknowledged.push({ write, response, at: this.#disk.recordedBytes() })
    return response
  }
}

interface Recording {
  seed: number
  root: string
  changes: ReturnType<typeof readDiskTrace>
  acknowledged: Acknowledged[]
  /** The files that the server left. */
  files: Map<string, Buffer>
}

/** Shared by processes, in memory; SQLite builds it again after a restart. */
const isIndexOfLog = (path: string): boolean => path.endsWith('-shm')

/** Records what a server writes to its folder while clients write to it. */
async function record(): Promise<Recording> {
  const seed = chooseSeed()
  console.log(`power loss: FAULT_SEED=${seed}`)
  await using folder = await createDataFolder()
  using disk = new FaultyDisk()
  disk.record(folder.dir)
  const ledger = new RecordingLedger(new RecordedFolder(folder.dir, disk), disk)
  await using server = await startServer(folder.dir, disk.settings)
  const stop = new AbortController()
  const running = createWriters(ledger, createRandom(seed), writers, { aborts: false }).map((writer) =>
    writer.run(server, stop.signal),
  )
  await ledger.waitForWrites(writes)
  stop.abort()
  await Promise.all(running)
  await server.kill('SIGKILL')
  const files = new Map<string, Buffer>()
  for (const path of await filesBelow(folder.dir))
    if (!isIndexOfLog(path)) files.set(relative(folder.dir, path), await readFile(path))
  const changes = readDiskTrace(disk.readRecord()).filter(({ change }) => !isIndexOfLog(change.path))
  return { seed, root: folder.dir, changes, acknowledged: ledger.acknowledged, files }
}

/** The damage in the states that power cuts left. */
interface Findings {
  lost: string[]
  corrupt: string[]
}

/** Cuts the power at random moments, some of them just after an acknowledgement, and examines what is left. */
async function cutPower(
  { root, changes, acknowledged }: Pick<Recording, 'root' | 'changes' | 'acknowledged'>,
  cuts: number,
  random: Random,
): Promise<Findings> {
  const findings: Findings = { lost: [], corrupt: [] }
  const first = acknowledged[0]?.at ?? 0
  const last = changes.at(-1)?.end ?? 0
  const moments = Array.from({ length: cuts }, () =>
    random.chance(0.5) ? random.int(first, last) : (random.pick(acknowledged)?.at ?? last),
  ).sort((one, other) => one - other)
  const disk = new SimulatedDisk(root)
  let applied = 0
  for (const [cut, moment] of moments.entries()) {
    for (let next = changes[applied]; next && next.end <= moment; next = changes[++applied]) disk.apply(next.change)
    const files = disk.filesAfterPowerCut(random)
    const before = acknowledged.filter(({ at }) => at <= moment)
    await using folder = await createTemporaryFolder()
    const isChecked = cut % 50 === 0
    await writeFiles(folder.path, isChecked ? files : onlyDatabase(files))
    const { lost, corrupt } = await examine(folder.path, files, before, acknowledged)
    if (isChecked) corrupt.push(...(await findDamage(folder.path)))
    findings.lost.push(...lost.map((line) => `cut ${cut}: ${line}`))
    findings.corrupt.push(...corrupt.map((line) => `cut ${cut}: ${line}`))
  }
  return findings
}

const onlyDatabase = (files: Map<string, Buffer>) =>
  new Map([...files].filter(([path]) => path === 'summit.db' || path === 'summit.db-wal'))

/** @param before the writes that were acknowledged before the power cut */
async function examine(
  dir: string,
  files: Map<string, Buffer>,
  before: Acknowledged[],
  all: Acknowledged[],
): Promise<Findings> {
  const corrupt: string[] = []
  try {
    recover(dir, corrupt)
    return await new DataFolder(dir).read(async (query) => {
      const rows = await query(`select request_id from change where ${ofRequests} order by id`)
      const stored = rows.map(({ request_id }) => String(request_id))
      const isStored = new Set(stored)
      const lost = before
        .filter(({ response }) => !isStored.has(response.requestId))
        .map(({ write }) => `${write.kind} "${write.text}" was acknowledged and is lost`)
      const byRequest = new Map(all.map((one) => [one.response.requestId, one]))
      const expected = new ExpectedData()
      for (const id of stored) {
        const one = byRequest.get(id)
        if (one) expected.apply(one.write, one.response.record)
        else corrupt.push(`request ${id} was never sent`)
      }
      const facts = await readFacts(query, expected.topics.keys(), zeroIds)
      corrupt.push(...findDifferences(expectedRowFacts(expected, expected.topics.keys()), facts))
      for (const { key, sha256 } of await readBlobs(query)) {
        const bytes = files.get(join('blobs', 'kept', key))
        if (bytes === undefined || hashOf(bytes) !== sha256) corrupt.push(`the row of ${key} is without its bytes`)
      }
      return { lost, corrupt }
    })
  } catch (error) {
    return { lost: [], corrupt: [...corrupt, String(error)] }
  }
}

/** Opens the database as a server does. */
function recover(dir: string, corrupt: string[]): void {
  using database = new DatabaseSync(join(dir, 'summit.db'))
  database.exec('pragma synchronous = off; pragma wal_checkpoint(truncate)')
  const found = database.prepare('pragma integrity_check').all()
  for (const { integrity_check } of found) if (integrity_check !== 'ok') corrupt.push(String(integrity_check))
}

const hashes = new WeakMap<Buffer, string>()

function hashOf(bytes: Buffer): string {
  const hash = hashes.get(bytes) ?? createHash('sha256').update(bytes).digest('hex')
  hashes.set(bytes, hash)
  return hash
}

/** The findings of `summit check` and `summit audit verify`. */
async function findDamage(dir: string): Promise<string[]> {
  const results = []
  for (const command of [['check'], ['audit', 'verify']])
    results.push(await runSummitInProcess(command, { DATA_DIR: dir }))
  return results.filter(({ code }) => code !== 0).map(({ out, err }) => out + err)
}

/** The changes of a server whose log is synced at checkpoints only, as with `synchronous=NORMAL`. */
function withoutSyncsOfCommits(changes: Recording['changes']): Recording['changes'] {
  const isSyncOfLog = ({ kind, path }: DiskChange) => kind === 'sync' && path.endsWith('/summit.db-wal')
  const isOfDatabase = ({ path }: DiskChange) => /\/summit\.db(-wal)?$/.test(path)
  return changes.filter(({ change }, index) => {
    if (!isSyncOfLog(change)) return true
    const next = changes.slice(index + 1, index + 500).find((one) => isOfDatabase(one.change))
    return next?.change.path.endsWith('/summit.db')
  })
}

let recording: Recording

beforeAll(async () => {
  if (!faultyDiskMissing) recording = await record()
})

test.skipIf(faultyDiskMissing)('the recorded changes add up to the files that the server left', () => {
  const disk = new SimulatedDisk(recording.root)
  for (const { change } of recording.changes) disk.apply(change)
  const hashesOf = (files: Map<string, Buffer>) =>
    Object.fromEntries([...files].map(([path, bytes]) => [path, hashOf(bytes)]).sort())
  expect(hashesOf(disk.files())).toEqual(hashesOf(recording.files))
})

test.skipIf(faultyDiskMissing)(
  `${cuts} power cuts lose no acknowledged write, and leave no row without its bytes`,
  {
    timeout: timeoutFor(cuts),
  },
  async () => {
    const findings = await cutPower(recording, cuts, createRandom(recording.seed))
    expect(findings, `FAULT_SEED=${recording.seed}`).toEqual({ lost: [], corrupt: [] })
  },
)

test.skipIf(faultyDiskMissing)(
  'where the log were synced at checkpoints only, power cuts would lose writes',
  async () => {
    const changes = withoutSyncsOfCommits(recording.changes)
    const { lost } = await cutPower({ ...recording, changes }, 20, createRandom(recording.seed))
    expect(lost.length).toBeGreaterThan(0)
  },
)

test.skipIf(faultyDiskMissing)('the log is synced between each write and its acknowledgement', async () => {
  await using folder = await createDataFolder()
  using disk = new FaultyDisk()
  await using server = await startServer(folder.dir, disk.settings)
  disk.record(folder.dir)
  for (let read = 0, nth = 0; nth < 20; nth++) {
    await server.client.createTopic({ name: `topic ${nth}`, created_by: 1 })
    const trace = disk.readRecord()
    const ofLog = readDiskTrace(trace.subarray(read)).filter(({ change }) => change.path.endsWith('/summit.db-wal'))
    read = trace.length
    const [lastWrite, lastSync] = (['write', 'sync'] as const).map((kind) =>
      ofLog.findLastIndex(({ change }) => change.kind === kind),
    ) as [number, number]
    expect(lastWrite).toBeGreaterThanOrEqual(0)
    expect(lastSync).toBeGreaterThan(lastWrite)
  }
})

import { cp } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { copiesIn, olderSummit, pendingIn, run } from '../../src/server/lifecycle/upgrade.fixtures.ts'
import type { TestStorage } from '../app.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { countIn, timeoutFor } from './counts.ts'
import { FaultyDisk, faultyDiskMissing } from './faulty-disk.ts'
import { chooseSeed, createRandom } from './random.ts'
import { startServer } from './server-process.ts'

if (faultyDiskMissing) console.log(`skipped tests of killed migrations: ${faultyDiskMissing}`)

const kills = countIn(import.meta.filename)

/** More changes to files than a start makes. */
const never = 1_000_000

/** The columns of each table. */
const schemaOf = (storage: TestStorage) =>
  run(storage, async (db) =>
    Object.fromEntries(
      (await db.introspection.getTables()).map(({ name, columns }) => [
        name,
        columns.map((column) => column.name).sort(),
      ]),
    ),
  )

test.skipIf(faultyDiskMissing)(
  `an older summit whose start is killed at any of ${kills} steps is migrated by the next start`,
  { timeout: timeoutFor(kills) },
  async () => {
    const seed = chooseSeed()
    console.log(`killed migrations: FAULT_SEED=${seed}`)
    const random = createRandom(seed)
    using disk = new FaultyDisk()
    await using older = await olderSummit()
    await using folder = await createTemporaryFolder()
    const copyOlder = async (name: string): Promise<TestStorage> => {
      const dataDir = join(folder.path, name)
      await cp(older.dataDir, dataDir, { recursive: true })
      return { ...older, dataDir, settings: { DATA_DIR: dataDir } }
    }
    const startOn = ({ dataDir }: TestStorage) => startServer(dataDir, disk.settings)

    const undisturbed = await copyOlder('undisturbed')
    disk.killAtStep(never, basename(undisturbed.dataDir))
    const first = await startOn(undisturbed)
    const steps = never - disk.stepsLeft()
    await first.kill('SIGTERM')
    const schema = await schemaOf(undisturbed)

    let killed = 0
    for (let kill = 0; kill < kills; kill++) {
      // One in each of as many equal parts.
      const at = 1 + Math.floor(((kill + random.next()) * steps) / kills)
      const context = `killed at step ${at} of ${steps}, FAULT_SEED=${seed}`
      const storage = await copyOlder(`killed-${kill}`)
      disk.killAtStep(at, basename(storage.dataDir))
      const started = await startOn(storage).catch(() => undefined)
      // A start may have fewer steps than the first.
      if (started) await started.kill('SIGTERM')
      else killed++
      disk.killAtStep(never, 'nothing')

      await using server = await startOn(storage)
      const { NewsFeed } = await server.client.listTopics({ offset: 0, limit: 10 })
      expect(
        NewsFeed.map(({ content }) => content.header),
        context,
      ).toEqual(['Written before'])
      const link = NewsFeed[0]?.content.uploaded_files[0]?.link ?? ''
      expect(await (await fetch(link)).text(), context).toBe('Hello')
      await server.kill('SIGTERM')
      expect(await pendingIn(storage), context).toEqual([])
      expect(await schemaOf(storage), context).toEqual(schema)
      expect(await copiesIn(storage), context).toHaveLength(1)
    }
    expect(killed).toBeGreaterThan(kills / 2)
  },
)

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseS3Url } from '../../../src/server/storage/blobs/blob-target.ts'
import { openS3Reader } from '../../../src/server/storage/blobs/s3.ts'
import { runSummit, runSummitInProcess } from '../../command.ts'
import { filesBelowIfAny } from '../../files-below.ts'
import * as make from '../../make.ts'
import { type Radosgw, radosgwMissing, startRadosgw } from '../../radosgw.ts'
import { type ProxyFault, startTcpProxy } from '../../tcp-proxy.ts'
import { createTemporaryFolder } from '../../temporary-folder.ts'
import { waitUntil } from '../../wait-until.ts'
import { startSummitWithBackups, textFile } from './summit-with-backups.ts'

// Backups in a real S3 server, to which the connection fails in the middle of a command.

if (radosgwMissing) console.warn(`skipped: ${radosgwMissing}`)

let server: Radosgw
let buckets = 0

beforeAll(async () => {
  if (!radosgwMissing) server = await startRadosgw()
})

afterAll(() => server?.[Symbol.asyncDispose]())

/** A bucket of its own, and a proxy on the way to it. */
async function startBucket() {
  const bucket = `backups-${++buckets}`
  await server.createBucket(bucket)
  const proxy = await startTcpProxy(server.port)
  const at = (url: string) => `s3://${server.accessKeyId}:${server.secretAccessKey}@${bucket}?endpoint=${url}`
  const reader = await openS3Reader(parseS3Url(at(server.url)))
  return {
    proxy,
    /** Through the proxy. */
    url: at(proxy.url),
    objects: async () => (await Array.fromAsync(reader.list())).map(({ key }) => key),
    async [Symbol.asyncDispose]() {
      await reader.close()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

/** The command fails by itself once the bucket counts as unavailable. */
const outages = [['refuse'], ['500'], ['truncate responses'], ['black hole']] as const satisfies [ProxyFault][]

const sentence = /^The S3 bucket backups-\d+ is unavailable: [^\n]+\n$/

/** Enough that the connection fails before all of them are transferred. */
const files = 40

async function startSummitWithFiles() {
  const summit = await startSummitWithBackups()
  for (let n = 0; n < files; n++)
    await make.topic(summit.t, { name: `${n}`, uploaded_files: [textFile(`file ${n} ${'x'.repeat(5_000)}`)] })
  return summit
}

const isFile = (key: string) => key.startsWith('files/')

test.skipIf(radosgwMissing !== undefined).each(outages)(
  'a backup whose connection to S3 fails (%s) says so, and the next one completes it',
  async (fault) => {
    await using bucket = await startBucket()
    await using summit = await startSummitWithFiles()
    const backup = runSummit(['backup', bucket.url], summit.settings)
    await waitUntil('some files are stored', async () => (await bucket.objects()).filter(isFile).length > 3)
    await bucket.proxy.setFault(fault)
    bucket.proxy.cut()
    const { code, err } = await backup
    expect([code, err]).toEqual([1, expect.stringMatching(sentence)])
    expect((await bucket.objects()).filter((key) => key.endsWith('manifest.json'))).toEqual([])
    expect(await readdir(join(summit.t.dataDir, 'backup'))).toEqual([])

    await bucket.proxy.setFault(undefined)
    expect(await runSummit(['backup', bucket.url], summit.settings)).toMatchObject({ code: 0, err: '' })
    expect(await bucket.objects()).toHaveLength(3 + files + 3)
    expect(await runSummit(['backup', 'verify', bucket.url], summit.settings)).toMatchObject({ code: 0, err: '' })
  },
)

test.skipIf(radosgwMissing !== undefined)(
  'a restore whose connection to S3 fails says so, and is completed by the same command',
  async () => {
    await using bucket = await startBucket()
    await using summit = await startSummitWithFiles()
    expect(await runSummit(['backup', bucket.url], summit.settings)).toMatchObject({ code: 0, err: '' })
    for (const [fault] of outages) {
      await using folder = await createTemporaryFolder()
      const settings = { DATA_DIR: join(folder.path, 'restored') }
      const stored = async () => (await filesBelowIfAny(join(settings.DATA_DIR, 'blobs', 'kept'))).length
      const restore = runSummit(['restore', bucket.url, '--apply'], settings)
      await waitUntil('some files are restored', async () => (await stored()) > 3)
      await bucket.proxy.setFault(fault)
      bucket.proxy.cut()
      const { code, err } = await restore
      expect([code, err], fault).toEqual([1, expect.stringMatching(sentence)])
      expect(await stored(), fault).toBeLessThan(files)

      await bucket.proxy.setFault(undefined)
      expect(await runSummit(['restore', bucket.url, '--apply'], settings), fault).toMatchObject({ code: 0, err: '' })
      expect(await runSummitInProcess(['check'], settings), fault).toMatchObject({ code: 0, err: '' })
      expect(existsSync(join(settings.DATA_DIR, 'summit.db')), fault).toBe(true)
    }
  },
)

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import * as make from '../make.ts'
import { type Radosgw, radosgwMissing, startRadosgw } from '../radosgw.ts'
import { type Trouble, tcpProxy } from '../tcp-proxy.ts'

/** The whole service while its S3 is away (the bar, reliability 7). */

let s3: Radosgw | undefined

if (radosgwMissing) console.warn(`skipped: ${radosgwMissing}`)
else {
  beforeAll(async () => {
    s3 = await startRadosgw()
    await s3.createBucket('summit')
  }, 60_000)
  afterAll(() => s3?.[Symbol.asyncDispose]())
}

const outages: Trouble[] = ['refuse', 'black hole', 'reset', 'slow', '500', 'truncate', 'lose answers']

describe('an S3 that is away', { timeout: 60_000 }, () => {
  test.skipIf(radosgwMissing !== undefined).each(outages)('(%s) fails uploads and nothing else', async (trouble) => {
    if (!s3) throw new Error('no S3')
    await using proxy = await tcpProxy(s3.port)
    const credentials = `${s3.accessKeyId}:${s3.secretAccessKey}`
    const prefix = trouble.replace(' ', '-')
    await using t = await testApp({
      BLOBS_URL: `s3://${credentials}@summit/${prefix}?endpoint=${encodeURIComponent(proxy.url)}`,
    })
    const upload = async () => {
      const form = new FormData()
      form.append('name', 'x')
      form.append('created_by', '1')
      form.append('uploaded_files', new File([Buffer.alloc(1_000_000, 'summit')], 'a.txt', { type: 'text/plain' }))
      const from = performance.now()
      const { response_code } = await make.send(t, 'POST', '/api/newsfeeds/topics/create', form)
      return { response_code, ms: performance.now() - from }
    }
    const bytesOf = async (id: number) =>
      (await (await fetch(`${t.url}/api/newsfeeds/files/${id}/a.txt`)).arrayBuffer()).byteLength
    expect((await upload()).response_code).toBe(1000)
    expect(await bytesOf(1)).toBe(1_000_000)

    await proxy.setTrouble(trouble)
    const uploads = Promise.all([upload(), upload(), upload()])
    let slowest = 0
    for (let at = 0; at < 50; at++) {
      const from = performance.now()
      const topic = await make.topic(t)
      await t.client.getTopic({ topic_id: Number(topic.id) })
      slowest = Math.max(slowest, performance.now() - from)
    }
    expect(slowest).toBeLessThan(1_000)
    for (const { response_code, ms } of await uploads) {
      expect(response_code).toBe(5030)
      expect(ms).toBeLessThan(10_000)
    }
    await proxy.setTrouble(undefined)
    expect((await upload()).response_code).toBe(1000)
    const rows = await t.ctx.database.read.selectFrom('file').selectAll().execute()
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(await bytesOf(Number(row.id))).toBe(1_000_000)
  })
})

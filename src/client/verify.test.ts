import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { envelope, successMessage } from '../server/core/envelope.ts'
import { HmacKey } from '../server/core/hmac-key.ts'
import { digestOf } from '../server/core/response-signature.ts'
import { verify } from './verify.ts'

interface Vector {
  key: string
  response_code: number
  created_at: string
  /** The JSON text of `data`. */
  data: string
  digest: string
  signature: string
  /** The whole body. */
  answer: string
}

// Published for other implementations, and generated independently with Python's hashlib and hmac. To check one:
//   printf %s "$data" | openssl dgst -sha256
//   printf 'v1\n1000\n2030-05-01 09:00:00\n%s' $digest | openssl dgst -sha256 -mac HMAC -macopt hexkey:$key
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../docs/signature-vectors.json', import.meta.url), 'utf8'),
)

/** The lowest bit, the bit of letter case, and the bit of non-ASCII bytes. */
const flips = [0x01, 0x20, 0x80]

describe.each(vectors)('the published response $response_code of $created_at', (vector) => {
  const { key, response_code, created_at, data, digest, signature, answer: body } = vector

  test('is built by the server from its data, key and time', () => {
    const message = response_code < 4000 ? successMessage(response_code) : JSON.parse(data).message
    expect(digestOf(data)).toBe(digest)
    expect(envelope(HmacKey.fromHex(key), response_code, data, created_at, message)).toBe(body)
    expect(JSON.parse(body)).toMatchObject([{ response_code, system: { created_at, signature } }])
  })

  test('is verified by the client, with the key in either case', async () => {
    expect(await verify(body, key)).toBe(true)
    expect(await verify(body, key.toUpperCase())).toBe(true)
  })

  test('is verified with the contents of the key file', async () => {
    expect(await verify(body, `${key}\n`)).toBe(true)
  })

  test('is rejected with another key', async () => {
    expect(
      await verify(
        body,
        key.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
    ).toBe(false)
    expect(
      await verify(
        body,
        key.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      ),
    ).toBe(false)
  })

  test('is rejected with any byte changed', async () => {
    const bytes = Buffer.from(body)
    const accepted: string[] = []
    for (const [at, byte] of bytes.entries())
      for (const flip of flips) {
        bytes[at] = byte ^ flip
        if (await verify(bytes.toString(), key)) accepted.push(`byte ${at} with ${flip}`)
        bytes[at] = byte
      }
    expect(accepted).toEqual([])
    expect(await verify(bytes.toString(), key)).toBe(true)
  })

  test('is rejected with anything missing, added or moved', async () => {
    const variants = [
      body.slice(0, -1),
      `${body} `,
      body.replace('"system"', ' "system"'),
      body.replace(',"message"', ',"signature":"","message"'),
      body.replace(signature, signature.toUpperCase()),
      body.replace(/"message":"[^"]*"((?:,"redirect_url":1002)?\}\}\])$/, '"message":"Pay here"$1'),
      body.replace(/\}\}\]$/, ',"redirect_url":1003}}]'),
      body.replace(/\}\}\]$/, ',"redirect_url":1002}}]'),
      body.replace(',"redirect_url":1002', ''),
      JSON.stringify(JSON.parse(body), null, 1),
    ].filter((variant) => variant !== body)
    expect(variants.length).toBeGreaterThanOrEqual(9)
    for (const variant of variants) expect([variant, await verify(variant, key)]).toEqual([variant, false])
  })
})

test('the vectors include failures, deletes, several keys and non-ASCII text', () => {
  expect(vectors.map((vector) => vector.response_code)).toEqual(expect.arrayContaining([1000, 2000, 4040, 4220]))
  expect(vectors.some(({ data }) => /[^\0-\x7f]/.test(data))).toBe(true)
  expect(new Set(vectors.map(({ key }) => key)).size).toBeGreaterThan(1)
})

test('a response is rejected with another created_at', async () => {
  const [vector] = vectors
  if (!vector) throw new Error('no vectors')
  expect(await verify(vector.answer.replace(vector.created_at, '2030-05-01 09:00:01'), vector.key)).toBe(false)
})

test.each(['', '[]', '[{}]', 'null', 'not JSON', '[{"response_code":1000,"data":{},"system":{}}]'])(
  'text that is not a signed envelope is rejected: %s',
  async (text) => {
    expect(await verify(text, '00'.repeat(32))).toBe(false)
  },
)

test.each(['', 'secret', '00'.repeat(31), `${'00'.repeat(31)}0x`, '00'.repeat(33)])(
  'an invalid key (%j) throws',
  async (key) => {
    await expect(verify(vectors[0]?.answer ?? '', key)).rejects.toThrow('64 hex digits')
  },
)

test('a client verifies the responses of a server: reads, writes, deletes and failures', async () => {
  const SIGNATURE_KEY = '5a'.repeat(32)
  await using t = await startTestApp({ SIGNATURE_KEY, TIMEZONE: 'Asia/Kathmandu' })
  const responses = [
    await t.client.call('createTopic', { name: 'Grüße 🍲 "quoted"', created_by: 1 }),
    await t.client.call('getTopic', { topic_id: 1 }),
    await t.client.call('deleteTopic', { topic_id: 1 }),
    await t.client.call('deleteTopic', { topic_id: 1 }),
  ]
  expect(responses.map(({ envelope }) => envelope.response_code)).toEqual([1000, 1000, 2000, 4040])
  for (const { text } of responses) {
    expect(await verify(text, SIGNATURE_KEY)).toBe(true)
    expect(await verify(text, '5b'.repeat(32))).toBe(false)
  }
})

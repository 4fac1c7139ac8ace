import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { bytesOf, filesOf, json, post } from './uploads.fixtures.ts'

describe('a link', () => {
  const app = setUpSharedApp()

  test.each([
    'http://127.0.0.1:1/x',
    'HTTPS://CDN.Summit.example/Ä b.PNG?size=big#top',
    `https://cdn.summit.example/${'x'.repeat(2_048 - 27)}`,
  ])('is stored as given: %s', async (link) => {
    const t = app()
    const id = await post(t, json([link]))
    expect((await filesOf(t, id))[0]?.link).toBe(link)
  })

  test('is never fetched', async () => {
    let visits = 0
    const server = createServer((_, response) => response.end(String(++visits))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const link = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`
    await using t = await startTestApp()
    const id = await post(t, json([link, { link: `${link}?2` }]))
    expect(await filesOf(t, id)).toHaveLength(2)
    await make.send(t, 'GET', '/api/newsfeeds/files/1/a.png')
    expect(visits).toBe(0)
    expect(await bytesOf(link)).toEqual(Buffer.from('1'))
    server.close()
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cases } from '../../bench/workload.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'

const bytesFloor = join(import.meta.dirname, '../../bench/floors/bytes.ts')

test('cases served from memory are compared with bare node:http that sends the same bytes', () => {
  const fromMemory = cases.filter(({ name }) => /^(R\d|R\*|I1)$/.test(name))
  expect(fromMemory.map(({ name, floor }) => [name, floor])).toEqual(
    ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R*', 'I1'].map((name) => [name, 'bytes']),
  )
  expect(fromMemory.find(({ name }) => name === 'I1')).toMatchObject({ target: 0.75 })
})

test('the bytes floor sends the same bodies and media types as Summit', async () => {
  await using t = await startTestApp()
  await make.event(t)
  const paths = ['/api/program/banner/get/1', '/api/program/list/0/20']
  const list = join(t.dataDir, 'paths')
  await writeFile(list, paths.join('\n'))
  const floor = spawn(process.execPath, [bytesFloor, t.url, list], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [address] = await once(floor.stdout, 'data')
    for (const path of paths)
      expect(await fetchBytes(String(address).trim() + path)).toEqual(await fetchBytes(t.url + path))
  } finally {
    floor.kill()
  }
})

async function fetchBytes(url: string) {
  const response = await fetch(url)
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

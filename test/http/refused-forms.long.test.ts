import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'

/** The processor time that the server has used, in milliseconds. */
async function readCpuTime({ pid }: ReadyServer): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
  return (Number(user) + Number(system)) * 10
}

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** Posts a form of so many parts 100 times. @returns the processor time, in milliseconds */
async function measureForms(server: ReadyServer, parts: number, code: number): Promise<number> {
  const body = `${field('name', 'Lunch')}${field('created_by', '1')}${field('x', '').repeat(parts - 2)}--b--\r\n`
  const before = await readCpuTime(server)
  for (let nth = 0; nth < 100; nth++) {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const response = await fetch(`${server.url}/api/newsfeeds/topics/create`, { method: 'POST', headers, body })
    expect(await response.text()).toContain(`"response_code":${code}`)
  }
  return (await readCpuTime(server)) - before
}

test('refusing a form with too many parts costs no more than accepting one with the maximum', async () => {
  await using folder = await createDataFolder()
  await using server = await startServer(folder.dir)
  await measureForms(server, 1_000, 1000)
  const accepted = await measureForms(server, 1_000, 1000)
  const refused = await measureForms(server, 1_005, 4130)
  console.log(`100 forms of 1,000 parts took ${accepted} ms of processor time, 100 of 1,005 took ${refused} ms`)
  expect(refused).toBeLessThan(1.5 * accepted)
})

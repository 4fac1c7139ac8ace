import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../command.ts'
import { startInMemoryS3 } from '../../in-memory-s3.ts'
import { createTemporaryFolder } from '../../temporary-folder.ts'
import { encrypted, startSummitWithBackups } from './summit-with-backups.ts'

/** S3 that goes down after so many requests, and records the names of the objects that it is sent. */
async function startFailingS3() {
  const state = { left: Number.POSITIVE_INFINITY, requests: 0, sent: [] as string[] }
  const s3 = await startInMemoryS3((request) => {
    state.requests++
    if (state.left-- <= 0) return true
    if (request.method === 'PUT') state.sent.push(new URL(request.url ?? '', 'http://s3').pathname)
    return false
  })
  return { ...s3, state }
}

const isFile = (name: string) => name.includes('/files/')
const unavailable = /^The S3 bucket summit is unavailable: [^\n]*503[^\n]*\n$/

test.each([
  ['plain', {}],
  ['encrypted', encrypted],
])(
  'a backup (%s) during which S3 goes down is completed by the next one, which sends only what is missing',
  async (_, settings: Record<string, string>) => {
    await using s3 = await startFailingS3()
    await using summit = await startSummitWithBackups(settings)
    const backup = (...args: string[]) => runSummitInProcess(['backup', ...args, s3.url], summit.settings)
    expect(await backup()).toMatchObject({ code: 0, err: '' })
    const { requests } = s3.state
    expect(s3.state.sent.filter(isFile)).toHaveLength(3)
    for (let left = 1; left < requests; left += 8) {
      s3.objects.clear()
      s3.state.sent = []
      s3.state.left = left
      const { code, err } = await backup()
      expect([code, err], `${left} requests`).toEqual([1, expect.stringMatching(unavailable)])
      s3.state.left = Number.POSITIVE_INFINITY
      expect(await backup(), `${left} requests`).toMatchObject({ code: 0, err: '' })
      const files = s3.state.sent.filter(isFile)
      expect(files.toSorted(), `${left} requests`).toEqual([...new Set(files)].toSorted())
      // Ledgers of aborted backups are merged by a later one.
      const others = [...s3.objects.keys()].filter((key) => !key.includes('ledger/'))
      // A backup whose manifest was stored exists, even if its command failed afterwards.
      const backups = others.filter((key) => key.endsWith('manifest.json')).length
      expect(others, `${left} requests`).toHaveLength(3 + 2 * backups)
    }
    expect(await backup('verify')).toMatchObject({ code: 0, err: '' })
  },
)

test('a restore during which S3 goes down is completed by the same command', async () => {
  await using s3 = await startFailingS3()
  await using summit = await startSummitWithBackups()
  await runSummitInProcess(['backup', s3.url], summit.settings)
  await using folder = await createTemporaryFolder()
  const restore = (name: string) =>
    runSummitInProcess(['restore', s3.url, '--apply'], { DATA_DIR: join(folder.path, name) })
  s3.state.requests = 0
  expect(await restore('first')).toMatchObject({ code: 0, err: '' })
  const { requests } = s3.state
  expect(requests).toBeGreaterThan(5)
  for (let left = 0; left < requests; left++) {
    s3.state.left = left
    const { code, err } = await restore(`${left}`)
    expect([code, err], `${left} requests`).toEqual([1, expect.stringMatching(unavailable)])
    s3.state.left = Number.POSITIVE_INFINITY
    expect(await restore(`${left}`), `${left} requests`).toMatchObject({ code: 0, err: '' })
    const check = await runSummitInProcess(['check'], { DATA_DIR: join(folder.path, `${left}`) })
    expect(check, `${left} requests`).toMatchObject({ code: 0, err: '' })
  }
})

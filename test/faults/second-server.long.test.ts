import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import { DataFolder } from './data-folder.ts'
import { launchServer } from './server-process.ts'
import { startUpload } from './upload-in-progress.ts'

test('a second server on the same folder exits with one line, and leaves alone what the first one receives', async () => {
  await using first = await startTestApp()
  const folder = new DataFolder(first.dataDir)
  using upload = await startUpload(first.url, folder)

  await using second = launchServer(folder.dir)
  expect(await second.exited).toEqual({ code: 1, signal: null })
  expect(second.stdout()).toBe('')
  expect(second.stderr()).toMatch(/^Another Summit is already serving .*\n$/)
  expect(second.stderr()).toContain(folder.dir)

  expect(await upload.finish()).toBe(1000)
  expect((await first.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toHaveLength(1)
})

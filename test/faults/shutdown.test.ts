import { expect, test } from 'vitest'
import { launch, startServer } from './server-process.ts'
import { shutDownUnderLoad } from './shutdown-under-load.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startUpload } from './upload-in-progress.ts'

test('20 clients get the responses to all their requests when the server is told to stop', { timeout: 60_000 }, () =>
  shutDownUnderLoad({ clients: 20, rounds: 1 }),
)

test('a second server on the same folder exits with one line, and leaves alone what the first one receives', async () => {
  await using folder = await temporaryFolder()
  await using first = await startServer(folder.dir)
  using upload = await startUpload(first.url, folder)

  await using second = launch(folder.dir)
  expect(await second.exited).toEqual({ code: 1, signal: null })
  expect(second.stdout()).toBe('')
  const line = `Another Summit is already serving ${folder.dir}. Stop it, or set DATA_DIR to another folder.\n`
  expect(second.stderr()).toBe(line)

  expect(await upload.finish()).toBe(1000)
  expect((await first.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toHaveLength(1)
  expect(first.stderr()).toBe('')
})

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { tryLockForMaintenance } from '../../src/server/db/maintenance-lock.ts'
import { eraseParticipant, markFilesPending } from '../../src/server/privacy/erase.ts'
import { startOtherServer, type TestApp } from '../app.ts'
import { inCommand } from '../in-command.ts'
import { startInMemoryS3 } from '../in-memory-s3.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { addHistory, expectErased, file, placesWithWord, storedKeys } from './erasure.ts'
import { signInAsParticipant } from './sessions.ts'

// Participants erase themselves. What is theirs contains this word everywhere, and nothing else does.
const word = 'Zyzzyva'

/** The files that the next start removes. */
const pendingFiles = async ({ dataDir }: TestApp) =>
  (await readdir(join(dataDir, 'blobs', 'unnamed'))).filter((name) => /files|participants/.test(name))

test('with ERASE_POSTS=keep nothing personal is left in rows, responses, exports and files', () => expectErased('keep'))

test('files are removed from S3, too', async () => {
  await using s3 = await startInMemoryS3()
  await using t = await startAppWithKeys('members', { BLOBS_URL: s3.url })
  const person = await addHistory(t, 'delete')
  expect(await storedKeys(t)).toHaveLength(2)
  await person.client.eraseOwnData({ participant_id: person.participant })
  expect(await storedKeys(t)).toEqual([])
})

test('a file that a backup still has to copy is removed by the next start at the latest', async () => {
  await using t = await startAppWithKeys('members')
  const person = await addHistory(t, 'delete')
  const release = await tryLockForMaintenance(t.ctx.config.database)
  await person.client.eraseOwnData({ participant_id: person.participant })
  expect(await placesWithWord(t)).toEqual([])
  expect(await pendingFiles(t)).toHaveLength(2)
  expect(await storedKeys(t)).toHaveLength(2)
  await release?.()
})

test('the next start removes the files if the process ends once the erasure is committed', async () => {
  await using t = await startAppWithKeys('members')
  const { participant, client } = await addHistory(t, 'delete')
  const pendingKeys = await markFilesPending(t.ctx, participant, 'delete')
  // Files are recorded while others may write, but for those that were added since.
  expect(await pendingFiles(t)).toHaveLength(2)
  await client.createTopic({ name: word, created_by: participant, uploaded_files: [file] })
  await inCommand(t, (scope) => eraseParticipant(scope, t.ctx, participant, 'delete', pendingKeys))
  expect(await pendingFiles(t)).toHaveLength(3)
  expect(await storedKeys(t)).toHaveLength(3)
})

test('nothing is erased while the photos cannot be listed', async () => {
  let isDown = false
  await using s3 = await startInMemoryS3(() => isDown)
  await using t = await startAppWithKeys('members', { BLOBS_URL: s3.url })
  const person = await addHistory(t, 'delete')
  isDown = true
  const confirmed = { participant_id: person.participant }
  expect(await make.codeOf(person.client.call('eraseOwnData', confirmed))).toBe(5030)
  isDown = false
  expect((await person.client.getMe({})).me.participant?.first_name).toBe(word)
  expect(await make.codeOf(person.client.call('eraseOwnData', confirmed))).toBe(1000)
  expect(await storedKeys(t)).toEqual([])
})

test('every credential of a participant who was erased gets 4010 at once, on every server', async () => {
  await using t = await startAppWithKeys('members')
  await using other = await startOtherServer(t)
  const { participant } = t.ana
  const session = await signInAsParticipant(t, participant)
  const address = await t.issuePersonalAddress(participant)
  const clients = [t.url, other.url].flatMap((url) => [
    createClient(url, { headers: t.ana.headers }),
    createClient(url, { headers: session.headers }),
    createClient(url + address.prefix),
  ])
  const codes = () =>
    Promise.all(clients.map((client) => make.codeOf(client.call('listTopics', { offset: 0, limit: 1 }))))
  expect(await codes()).toEqual(clients.map(() => 1000))
  await t.ana.client.eraseOwnData({ participant_id: participant })
  expect(await codes()).toEqual(clients.map(() => 4010))
})

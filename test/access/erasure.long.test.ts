import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { eraseParticipant } from '../../src/server/domains/privacy/erase.ts'
import { finishErasures } from '../../src/server/domains/privacy/finish-erasures.ts'
import { tryLockForMaintenance } from '../../src/server/storage/db/locks.ts'
import { startOtherServer } from '../app.ts'
import { inCommand } from '../in-command.ts'
import { startInMemoryS3 } from '../in-memory-s3.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { addHistory, expectErased, file, placesWithWord, storedKeys } from './erasure.ts'
import { signInAsParticipant } from './sessions.ts'

// Participants erase themselves. What is theirs contains this word everywhere, and nothing else does.
const word = 'Zyzzyva'

test('with ERASE_POSTS=keep nothing personal is left in rows, responses, exports and files', () => expectErased('keep'))

test('files are removed from S3, too', async () => {
  await using s3 = await startInMemoryS3()
  await using t = await startAppWithKeys('members', { BLOBS_URL: s3.url })
  const person = await addHistory(t, 'delete')
  expect(await storedKeys(t)).toHaveLength(4)
  await person.client.eraseOwnData({ participant_id: person.participant })
  expect(await storedKeys(t)).toEqual([])
})

test('a file that a backup still has to copy is removed when the backup is done', async () => {
  await using t = await startAppWithKeys('members')
  const person = await addHistory(t, 'delete')
  const release = await tryLockForMaintenance(t.ctx.config.database)
  await person.client.eraseOwnData({ participant_id: person.participant })
  expect(await placesWithWord(t)).toEqual([])
  await finishErasures(t.ctx)
  expect(await storedKeys(t)).toHaveLength(4)
  await release?.()
  await finishErasures(t.ctx)
  expect(await storedKeys(t)).toEqual([])
})

test('another server finishes an erasure of a process that ended once it was committed', async () => {
  await using t = await startAppWithKeys('members')
  const { participant, client } = await addHistory(t, 'delete')
  await client.createTopic({ name: word, created_by: participant, uploaded_files: [file] })
  await inCommand(t, (scope) => eraseParticipant(scope, participant, 'delete'))
  expect(await storedKeys(t)).toHaveLength(5)
  await using other = await startOtherServer(t)
  await finishErasures(other.ctx)
  expect(await storedKeys(t)).toEqual([])
  expect(await placesWithWord(t)).toEqual([])
})

test('somebody is erased also while the store is down, and their files once it is there again', async () => {
  let isDown = false
  await using s3 = await startInMemoryS3(() => isDown)
  await using t = await startAppWithKeys('members', { BLOBS_URL: s3.url })
  const person = await addHistory(t, 'delete')
  isDown = true
  const confirmed = { participant_id: person.participant }
  expect(await make.codeOf(person.client.call('eraseOwnData', confirmed))).toBe(1000)
  expect(await placesWithWord(t)).toEqual([])
  await expect(finishErasures(t.ctx)).rejects.toThrow()
  isDown = false
  expect(await storedKeys(t)).toHaveLength(4)
  await finishErasures(t.ctx)
  expect(await storedKeys(t)).toEqual([])
})

test('every credential of a participant who was erased gets 4010 at once, on every server', async () => {
  await using t = await startAppWithKeys('members')
  await using other = await startOtherServer(t)
  const { participant } = t.ana
  const session = await signInAsParticipant(t, participant)
  const personal = await t.issuePersonalUrl(participant)
  const clients = [t.url, other.url].flatMap((url) => [
    createClient(url, { headers: t.ana.headers }),
    createClient(url, { headers: session.headers }),
    createClient(url + personal.prefix),
  ])
  const codes = () =>
    Promise.all(clients.map((client) => make.codeOf(client.call('listTopics', { offset: 0, limit: 1 }))))
  expect(await codes()).toEqual(clients.map(() => 1000))
  await t.ana.client.eraseOwnData({ participant_id: participant })
  expect(await codes()).toEqual(clients.map(() => 4010))
})

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tryLockForMaintenance } from '../../src/server/db/maintenance-lock.ts'
import { startInMemoryS3 } from '../in-memory-s3.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { addHistory, expectErased, placesWithWord, storedKeys } from './erasure.ts'

// Participants erase themselves. What is theirs contains this word everywhere, and nothing else does.

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
  const pending = (await readdir(join(t.dataDir, 'blobs', 'unnamed'))).filter((name) => /files|participants/.test(name))
  expect(pending).toHaveLength(2)
  expect(await storedKeys(t)).toHaveLength(2)
  await release?.()
})

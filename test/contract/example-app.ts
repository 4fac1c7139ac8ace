import { afterAll, beforeAll, expect } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { saveConference } from '../../src/server/domains/editing/conference.ts'
import { photoPath, storedPhotoOf } from '../../src/server/domains/participants/photos.ts'
import { logoKey } from '../../src/server/domains/program/pictures.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { recordTables } from '../fill-tables.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { pixel, pixelHash } from './examples.ts'

export const signatureKey = 'c0ffee00'.repeat(8)

/** Has two participants, one with a photo, a logo, and one of each other kind of record by the first. */
export async function startExampleApp(): Promise<TestApp> {
  const t = await startTestApp({ PUBLIC_URL: 'https://summit.example', SIGNATURE_KEY: signatureKey })
  await make.participant(t)
  const photo = await storePhoto(t, 2 as ParticipantId)
  await make.participant(t, { first_name: 'Ben', last_name: '', photo })
  await make.oneOfEach(t, 1)
  await storeLogo(t)
  await t.client.addFeedback({ created_by: 1, comments: 'Fine' }, { idempotencyKey: 'taken' })
  return t
}

/** Stores the photo of a participant, as an import does, though it does not log that. @returns its path, the value of `photo` */
export async function storePhoto(t: TestApp, id: ParticipantId): Promise<string> {
  const photo = photoPath(id, pixelHash, 'png')
  await (await t.ctx.blobs.stage([Buffer.from(pixel, 'base64')], 1_000)).store(storedPhotoOf({ id, photo })?.key ?? '')
  await t.ctx.database.transaction((db) => db.updateTable('participant').set({ photo }).where('id', '=', id).execute())
  return photo
}

/** Stores the logo of the conference. */
export async function storeLogo(t: TestApp): Promise<void> {
  const logo = logoKey(pixelHash, 'png')
  await (await t.ctx.blobs.stage([Buffer.from(pixel, 'base64')], 1_000)).store(logo)
  await inCommand(t, (scope) => saveConference(scope, 'test', { logo }))
}

/** Every record, without the keys of blobs and the UUIDs, which are random. */
export async function readRecords(t: TestApp) {
  const rows = await Promise.all(
    recordTables.map((table) => t.ctx.database.read.selectFrom(table).selectAll().orderBy('id').execute()),
  )
  return rows.map((ofTable) =>
    ofTable.map((row) => ({ ...row, ...('blob_key' in row && { blob_key: '' }), ...('guid' in row && { guid: '' }) })),
  )
}

/** One example app for all tests of a file that must not change it. @returns runs a test and checks that it did not */
export function setUpUnchangedExampleApp(): (run: (t: TestApp) => Promise<void>) => Promise<void> {
  let shared: TestApp | undefined
  beforeAll(async () => {
    shared = await startExampleApp()
  })
  afterAll(() => shared?.[Symbol.asyncDispose]())
  return async (run) => {
    if (!shared) throw new Error('the server has not started')
    const before = await readRecords(shared)
    await run(shared)
    expect(await readRecords(shared)).toEqual(before)
  }
}

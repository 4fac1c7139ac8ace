import { expect, test } from 'vitest'
import { tableNames } from '../../src/server/storage/db/tables.ts'
import type { TestApp } from '../app.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer } from './sessions.ts'

const mo = 'mo@summit.example'

/** The tables that contain a text. */
async function tablesWith({ ctx }: TestApp, text: string): Promise<string[]> {
  const found: string[] = []
  for (const table of tableNames)
    if (JSON.stringify(await ctx.database.read.selectFrom(table).selectAll().execute()).includes(text))
      found.push(table)
  return found
}

test('an organizer who is removed leaves no address, and the log names them by their id', async () => {
  await using t = await startAppWithKeys('members')
  const session = await signInAsOrganizer(t, mo, ['desk'])
  await signInAsOrganizer(t, 'eva@summit.example', ['desk'])
  const id = Number((await session.client.getMe({})).me.organizer?.id)
  await session.client.inviteParticipant({ participantId: t.ana.participant })
  expect(await tablesWith(t, mo)).toEqual(['organizer'])

  for (const organizer_id of [id, id + 1]) await t.owner.client.removeOrganizer({ organizer_id })
  expect(await tablesWith(t, '@summit.example')).toEqual(['participant'])
  const { read } = t.ctx.database
  const changes = await read.selectFrom('change').select(['kind', 'record_id', 'credential_id']).execute()
  expect(changes).toContainEqual({ kind: 'organizer.removed', record_id: id, credential_id: t.owner.id })
  const own = await read
    .selectFrom('credential')
    .select('id')
    .where('organizer_id', '=', id as never)
    .execute()
  const acts = changes.filter(({ credential_id }) => own.some((one) => one.id === credential_id))
  expect(acts.map(({ kind }) => kind)).toEqual(['credential.created'])
})

test('an organizer who is added again is another one, without what the first had', async () => {
  await using t = await startAppWithKeys('members')
  const first = await signInAsOrganizer(t, mo, ['owner'])
  await signInAsOrganizer(t, 'eva@summit.example', ['owner'])
  const id = Number((await first.client.getMe({})).me.organizer?.id)
  await t.owner.client.removeOrganizer({ organizer_id: id })
  const again = await signInAsOrganizer(t, mo, ['desk'])
  const { organizer, roles } = (await again.client.getMe({})).me
  expect(organizer).toMatchObject({ email: mo, roles: ['desk'] })
  expect([Number(organizer?.id) > id, roles]).toEqual([true, ['desk']])
  expect(await make.codeOf(first.client.call('getMe', {}))).toBe(4010)
  const { organizers } = await t.owner.client.listOrganizers({})
  expect(organizers.map(({ email }) => email)).toEqual(['eva@summit.example', mo])
})

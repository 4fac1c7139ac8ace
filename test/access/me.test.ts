import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { getMe } from '../../src/server/domains/me/me.ts'
import { removeOrganizer, saveOrganizer } from '../../src/server/domains/organizers/organizers.ts'
import { send } from '../contract/requests.ts'
import { inCommand } from '../in-command.ts'
import { type AppWithKeys, type KeyHolder, startAppWithKeys } from './app-with-keys.ts'

// The person who is signed in reads their own data.

let t: AppWithKeys

beforeAll(async () => {
  t = await startAppWithKeys('members')
})
afterAll(() => t[Symbol.asyncDispose]())

const readMe = async ({ client }: KeyHolder) => (await client.getMe({})).me

test('a participant reads their whole profile, with the contacts that the directory leaves out', async () => {
  const { participant, roles } = await readMe(t.ana)
  expect(participant).toMatchObject({ id: String(t.ana.participant), email: 'ana@summit.example', employee_no: 'E1' })
  expect(roles).toEqual([])
  expect((await readMe(t.ben)).participant?.id).toBe(String(t.ben.participant))
})

test('an organizer who is not a participant reads their roles', async () => {
  expect(await readMe(t.owner)).toEqual({
    ...{ participant: null, sharing: null, organizer: null, identity: null },
    ...{ roles: ['owner'], login_email: '' },
  })
})

test('at a personal URL it is that participant, and an app with one URL for all is nobody', async () => {
  expect((await readMe(await t.issuePersonalUrl(t.ana.participant))).participant?.email).toBe('ana@summit.example')
  for (const scope of ['create', 'change'] as const) {
    const { envelope } = await (await t.issueAppUrl(scope)).client.call('getMe', {})
    expect(envelope).toMatchObject({ response_code: 4030, data: { reason: 'FORBIDDEN' } })
  }
})

test('a sender who is removed while their request is in progress is not signed in any more', async () => {
  await inCommand(t, async (scope) => {
    const organizer = await saveOrganizer(scope, 'eva@organizers.example', ['desk'])
    const participant = t.ben.participant
    await removeOrganizer(scope, organizer)
    for (const sender of [{ organizer }, { participant: 404 as ParticipantId }]) {
      const principal = { ...scope.principal, ...sender }
      await expect(getMe({ ...scope, principal })).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' })
    }
    expect((await getMe({ ...scope, principal: { ...scope.principal, participant } })).me.participant?.id).toBe('2')
  })
})

test('the response belongs to one person: no cache may keep it', async () => {
  const response = await send(t, { method: 'GET', path: '/api/me', headers: t.ana.headers })
  expect(response.header('cache-control')).toEqual(['private, no-store'])
})

test.each(['public', 'members'] as const)(
  'where ACCESS is %s, JSON varies by what identifies the sender',
  async (access) => {
    await using t = await startAppWithKeys(access)
    for (const headers of [{}, t.ana.headers])
      for (const path of ['/api/newsfeeds/topics/0/1', '/api/me', '/api/none']) {
        const response = await send(t, { method: 'GET', path, headers })
        expect(response.header('vary'), path).toEqual(['Accept, Authorization, Cookie'])
      }
  },
)

test('a visitor has to sign in', async () => {
  const { bytes } = await send(t, { method: 'GET', path: '/api/me' })
  expect(JSON.parse(bytes.toString())[0].data.reason).toBe('UNAUTHENTICATED')
})

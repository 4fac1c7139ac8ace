import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { startOtherServer } from '../app.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer, signInWith } from './sessions.ts'

describe('a summit needs an owner', () => {
  test('who has signed in: an invited one does not replace the last', async () => {
    await using t = await startAppWithKeys('members')
    const eva = await signInAsOrganizer(t, 'eva@summit.example', ['owner'])
    const { organizer, invitation } = (
      await eva.client.call('inviteOrganizer', { email: 'mo@summit.example', roles: 'owner' })
    ).envelope.data as Awaited<ReturnType<typeof eva.client.inviteOrganizer>>
    const removal = await eva.client.call('removeOrganizer', { organizer_id: 1 })
    expect(removal.envelope).toMatchObject({ response_code: 4090, data: { reason: 'LAST_OWNER' } })
    expect(await make.codeOf(eva.client.call('changeOrganizerRoles', { organizer_id: 1, roles: 'desk' }))).toBe(4090)
    await signInWith(t.url, new URL(invitation.link).hash.slice(1))
    expect(await make.codeOf(eva.client.call('removeOrganizer', { organizer_id: Number(organizer.id) }))).toBe(2000)
  })

  test('so that of two who remove each other at once, on two servers, one stays', async () => {
    await using t = await startAppWithKeys('members')
    await using other = await startOtherServer(t)
    const eva = await signInAsOrganizer(t, 'eva@summit.example', ['owner'])
    const mo = await signInAsOrganizer(t, 'mo@summit.example', ['owner'])
    const elsewhere = createClient(other.url, { headers: mo.headers })
    const codes = await Promise.all([
      make.codeOf(eva.client.call('removeOrganizer', { organizer_id: 2 })),
      make.codeOf(elsewhere.call('removeOrganizer', { organizer_id: 1 })),
    ])
    expect(codes.filter((code) => code === 2000)).toHaveLength(1)
    const left = await t.ctx.database.read.selectFrom('organizer').select('id').where('removed_at', '=', 0).execute()
    expect(left).toHaveLength(1)
  })
})

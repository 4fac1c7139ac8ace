import { afterAll, beforeAll } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import type { Role } from '../../src/contract/access.ts'
import { createKey, revokeKey } from '../../src/server/access/keys.ts'
import { noParticipant, type ParticipantId } from '../../src/server/core/ids.ts'
import { commandScope } from '../../src/server/scope.ts'
import { startTestApp, type TestApp } from '../app.ts'
import * as make from '../make.ts'

/** Somebody with a key. */
export interface KeyHolder {
  /** 0 for an organizer who is not a participant. */
  participant: ParticipantId
  roles: readonly Role[]
  /** The id of the key. */
  id: number
  /** The headers that carry the key. */
  headers: Record<string, string>
  client: Client
}

/** A server that asks for keys, with the participants Ana and Ben. */
export interface AppWithKeys extends TestApp {
  ana: KeyHolder
  ben: KeyHolder
  owner: KeyHolder
  issueKey(options: { participant?: ParticipantId; roles?: readonly Role[]; expiresAt?: number }): Promise<KeyHolder>
  revoke(holder: KeyHolder): Promise<void>
}

export async function startAppWithKeys(
  access: 'public' | 'members',
  settings: Record<string, string> = {},
): Promise<AppWithKeys> {
  return withKeys(await startTestApp({ ACCESS: access, PUBLIC_URL: publicUrl, ...settings }))
}

export const publicUrl = 'https://summit.example'

/** Adds Ana and Ben, and keys for them and an owner. */
export async function withKeys(t: TestApp): Promise<AppWithKeys> {
  const issueKey: AppWithKeys['issueKey'] = async ({ participant = noParticipant, roles = [], expiresAt = 0 }) => {
    const key = { label: 'test', participant, roles, expiresAt }
    const { id, secret } = await t.ctx.database.transaction((tx) => createKey(commandScope(t.ctx, tx, 'test'), key))
    const headers = { authorization: `Bearer ${secret}` }
    return { participant, roles, id, headers, client: createClient(t.url, { headers }) }
  }
  const contacts = { mobile_no: '+41 1', employee_no: 'E1' }
  const ana = await make.participant(t, { ...contacts, email: 'ana@summit.example' })
  const ben = await make.participant(t, { ...contacts, first_name: 'Ben', email: 'ben@summit.example' })
  return {
    ...t,
    issueKey,
    ana: await issueKey({ participant: ana as ParticipantId }),
    ben: await issueKey({ participant: ben as ParticipantId }),
    owner: await issueKey({ roles: ['owner'] }),
    revoke: async ({ id }) => {
      await t.ctx.database.transaction((tx) => revokeKey(commandScope(t.ctx, tx, 'test'), id))
    },
  }
}

/** One server for all tests of a file. */
export function setUpSharedAppWithKeys(access: 'public' | 'members'): () => AppWithKeys {
  let shared: AppWithKeys | undefined
  beforeAll(async () => {
    shared = await startAppWithKeys(access)
  })
  afterAll(() => shared?.[Symbol.asyncDispose]())
  return () => {
    if (!shared) throw new Error('the server has not started')
    return shared
  }
}

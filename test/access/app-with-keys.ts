import { afterAll, beforeAll } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import type { Role } from '../../src/contract/access.ts'
import { revokeCredential } from '../../src/server/auth/credentials.ts'
import { type CreatedKey, createAppUrl, createKey, createPersonalUrl } from '../../src/server/auth/keys.ts'
import { noParticipant, type ParticipantId } from '../../src/server/core/ids.ts'
import type { AppScope } from '../../src/server/core/principal.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'

/** Somebody with a key or a secret URL. */
export interface KeyHolder {
  /** 0 for an organizer who is not a participant. */
  participant: ParticipantId
  roles: readonly Role[]
  /** The id of the key. */
  id: number
  /** The part of the path before `/api`: `/k/{secret}` at a secret URL. */
  prefix: string
  /** The headers that carry the key; none at a secret URL. */
  headers: Record<string, string>
  /** The rights of an app. */
  app?: AppScope
  client: Client
}

/** A server that asks for keys, with the participants Ana and Ben. */
export interface AppWithKeys extends TestApp {
  ana: KeyHolder
  ben: KeyHolder
  owner: KeyHolder
  issueKey(options: { participant?: ParticipantId; roles?: readonly Role[]; expiresAt?: number }): Promise<KeyHolder>
  issuePersonalUrl(participant: ParticipantId, expiresAt?: number): Promise<KeyHolder>
  issueAppUrl(app?: AppScope): Promise<KeyHolder>
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
    const { id, secret } = await inCommand(t, (scope) => createKey(scope, key))
    const headers = { authorization: `Bearer ${secret}` }
    return { participant, roles, id, prefix: '', headers, client: createClient(t.url, { headers }) }
  }
  const holderOf = ({ id, secret }: CreatedKey, holder: Pick<KeyHolder, 'participant' | 'app'>): KeyHolder => {
    const prefix = `/k/${secret}`
    return { ...holder, roles: [], id, prefix, headers: {}, client: createClient(t.url + prefix) }
  }
  const issuePersonalUrl: AppWithKeys['issuePersonalUrl'] = async (participant, expiresAt = 0) => {
    const key = { label: 'test', participant, expiresAt }
    return holderOf(await inCommand(t, (scope) => createPersonalUrl(scope, key)), { participant })
  }
  const issueAppUrl: AppWithKeys['issueAppUrl'] = async (app = 'create') => {
    const key = { label: 'test', mayChange: app === 'change', expiresAt: 0 }
    return holderOf(await inCommand(t, (scope) => createAppUrl(scope, key)), {
      participant: noParticipant,
      app,
    })
  }
  const contacts = { mobile_no: '+41 1', employee_no: 'E1' }
  const ana = await make.participant(t, { ...contacts, email: 'ana@summit.example' })
  const ben = await make.participant(t, { ...contacts, first_name: 'Ben', email: 'ben@summit.example' })
  return {
    ...t,
    issueKey,
    issuePersonalUrl,
    issueAppUrl,
    ana: await issueKey({ participant: ana as ParticipantId }),
    ben: await issueKey({ participant: ben as ParticipantId }),
    owner: await issueKey({ roles: ['owner'] }),
    revoke: async ({ id }) => {
      await inCommand(t, (scope) => revokeCredential(scope, id))
    },
  }
}

/** One server for all tests of a file or `describe`. */
export function setUpSharedAppWithKeys(
  access: 'public' | 'members',
  settings: Record<string, string> = {},
): () => AppWithKeys {
  let shared: AppWithKeys | undefined
  beforeAll(async () => {
    shared = await startAppWithKeys(access, settings)
  })
  afterAll(() => shared?.[Symbol.asyncDispose]())
  return () => {
    if (!shared) throw new Error('the server has not started')
    return shared
  }
}

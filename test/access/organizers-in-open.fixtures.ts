import type { Role } from '../../src/contract/access.ts'
import { startOtherServer, type TestApp } from '../app.ts'
import { storeLogo, storePhoto } from '../contract/example-app.ts'
import { type additionalNamesIn, examples } from '../contract/examples.ts'
import { requestOf, type TestRequest, type TestResponse } from '../contract/requests.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { ownPage, signInAsOrganizer, signInAsParticipant } from './sessions.ts'

export const eva = 'eva@summit.example'

export type Headers = Record<string, string>

export interface Sender {
  headers: Headers
  roles: readonly Role[]
}

/** A summit whose people have signed in and got keys before its `ACCESS` was `open`. */
export async function startReopened() {
  const t = await startAppWithKeys('members')
  await make.event(t, { speaker: 'Ana Cruz' })
  const { participant } = t.ben
  await t.owner.client.updateParticipant({ participantId: participant, photo: await storePhoto(t, participant) })
  await storeLogo(t)
  const file = { name: 'pixel.png', data: 'R3LD' }
  await t.ana.client.createTopic({ name: 'A topic', created_by: t.ana.participant, uploaded_files: [file] })
  await t.ana.client.createComment({ topic_id: 1, comment: 'A comment', created_by: t.ana.participant })
  const server = await startOtherServer(t, { access: 'open', publicUrl: undefined })
  const open: AppWithKeys = { ...t, ...server, settings: t.settings }
  const both = { ...(await t.issueKey({ participant: t.ana.participant, roles: ['reader'] })) }
  const ended = await t.issueKey({ roles: ['owner'] })
  await t.revoke(ended)
  const forged = `smt_${'A'.repeat(43)}`
  const nobodys: Record<string, Headers> = {
    'without a credential': {},
    'with a key of a participant': t.ana.headers,
    'with a session of a participant': (await signInAsParticipant(t, t.ana.participant)).headers,
    'with the secret of a secret URL as a key': {
      authorization: `Bearer ${(await t.issuePersonalUrl(t.ana.participant)).prefix.slice('/k/'.length)}`,
    },
    'with the secret of an app as a key': {
      authorization: `Bearer ${(await t.issueAppUrl('change')).prefix.slice('/k/'.length)}`,
    },
    'with a revoked key': ended.headers,
    'with a forged key': { authorization: `Bearer ${forged}` },
    'with an empty key': { authorization: 'Bearer' },
    'with a forged session': { cookie: `__Host-summit=${forged}`, ...ownPage },
    'with the secret of a key as a session': {
      cookie: `__Host-summit=${t.owner.headers.authorization?.slice('Bearer '.length)}`,
      ...ownPage,
    },
    'with two credentials': {
      ...(await signInAsOrganizer(t, 'two@summit.example', ['owner'])).headers,
      ...t.owner.headers,
    },
  }
  const organizers: Record<string, Sender> = {
    'a participant who is reader': both,
    ...Object.fromEntries(
      await Promise.all(
        (['owner', 'editor', 'desk'] as const).map(async (role) => [
          `an organizer who is ${role}`,
          await t.issueKey({ roles: [role] }),
        ]),
      ),
    ),
  }
  for (const role of ['owner', 'desk'] as const)
    organizers[`an organizer who is ${role}, in a browser`] = {
      ...(await signInAsOrganizer(t, `${role}@summit.example`, [role])),
      roles: [role],
    }
  return {
    open,
    members: t,
    nobodys,
    organizers,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await t[Symbol.asyncDispose]()
    },
  }
}

export const withHeaders = (request: TestRequest, headers: Headers): TestRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

export const requestAs = (name: ReturnType<typeof additionalNamesIn>[number], headers: Headers) =>
  withHeaders(requestOf(name, examples[name]), headers)

export const envelopeOf = ({ bytes }: TestResponse) => JSON.parse(bytes.toString())[0]

export const newestChange = async ({ ctx }: Pick<TestApp, 'ctx'>) =>
  ctx.database.read.selectFrom('change').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

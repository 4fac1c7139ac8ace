import { type Client, createClient } from '../../src/client/client.ts'
import type { Role } from '../../src/contract/access.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { inviteParticipant } from '../../src/server/domains/organizers/invite-participant.ts'
import { inviteOrganizer } from '../../src/server/domains/organizers/organizers.ts'
import type { TestApp } from '../app.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'

/** Somebody who has signed in, in a browser. */
export interface SignedIn {
  /** The value of `Set-Cookie`. */
  setCookie: string
  /** The headers that a page of ours sends with every request. */
  headers: Record<string, string>
  client: Client
}

export const ownPage = { 'sec-fetch-site': 'same-origin' }

/** The token in the response to an invitation. */
export const tokenOf = ({ invitation }: { invitation: { link: string } }): string =>
  invitation.link.replace(/^[^#]*#/, '')

/** @returns the token of an invitation */
export const inviteAsOrganizer = async (t: TestApp, email: string, roles: readonly Role[]): Promise<string> =>
  tokenOf(await inCommand(t, (scope) => inviteOrganizer(scope, { email, roles: roles.join(',') })))

/** @returns the token of an invitation */
export const inviteAsParticipant = async (t: TestApp, id: ParticipantId): Promise<string> =>
  tokenOf(await inCommand(t, (scope) => inviteParticipant(scope, id)))

/** Sends the request of the sign-in page. */
export const sendInvitation = (url: string, token: string, headers: Record<string, string> = {}) =>
  make.send({ url }, 'POST', '/api/sign-in/invitation', JSON.stringify({ token }), { ...ownPage, ...headers })

/** The first cookie that a response sets, as the browser sends it back; '' for none. */
export const cookieOf = ({ headers }: { headers: Headers }): string => headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** @param url of one of several servers */
export async function signInWith(url: string, token: string): Promise<SignedIn> {
  const response = await sendInvitation(url, token)
  const setCookie = response.headers.get('set-cookie')
  if (setCookie === null) throw new Error(`not signed in: ${JSON.stringify(response.data)}`)
  const headers = { cookie: cookieOf(response), ...ownPage }
  return { setCookie, headers, client: createClient(url, { headers }) }
}

export const signInAsOrganizer = async (t: TestApp, email: string, roles: readonly Role[]): Promise<SignedIn> =>
  signInWith(t.url, await inviteAsOrganizer(t, email, roles))

export const signInAsParticipant = async (t: TestApp, id: ParticipantId): Promise<SignedIn> =>
  signInWith(t.url, await inviteAsParticipant(t, id))

export const codeOf = ({ client }: SignedIn) => make.codeOf(client.call('getMe', {}))

import type { Data } from '../../../contract/index.ts'
import { passkeyAlgorithms } from '../../../contract/passkeys.ts'
import { Failure } from '../../core/failure.ts'
import { noOrganizer, type OrganizerId, type PasskeyId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PersonalScope, PreparationScope, Scope, WriteScope } from '../../scope.ts'
import type { Row } from '../../storage/db/tables.ts'
import { endSessionsOf } from '../sessions.ts'
import { challengeMs, issueChallenge, readChallenge, useChallenge } from './challenge.ts'
import {
  deletePasskey,
  deletePasskeyOfAnyone,
  findPasskey,
  insertPasskey,
  listPasskeysOf,
  markPasskeyUsed,
} from './store.ts'
import { relyingPartyOf, verifyRegistration, verifySignIn } from './verify.ts'

/** @param email of the organizer who is signed in */
export async function startRegistration(
  scope: PreparationScope,
  email: string,
): Promise<Data<'startPasskeyRegistration'>> {
  const { organizer } = scope.principal
  const passkeys = await listPasskeysOf(scope.db, organizer)
  const id = relyingPartyOf(scope.links)
  return {
    options: {
      challenge: issueChallenge(scope, organizer),
      rp: { id, name: id },
      user: { id: userHandleOf(organizer), name: email, displayName: email },
      pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: challengeMs,
      // A device that has one already adds no second.
      excludeCredentials: passkeys.map(({ webauthn_id, transports }) => ({
        type: 'public-key',
        id: webauthn_id,
        transports: splitTransports(transports),
      })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
  }
}

/** @throws Failure PASSKEY_INVALID */
export async function register(
  preparation: PreparationScope,
  { label, id, client_data, attestation, transports = '' }: HandlerInput<'registerPasskey'>,
): Promise<(scope: WriteScope) => Promise<Data<'registerPasskey'>>> {
  const { organizer } = preparation.principal
  const response = { clientDataJSON: client_data, attestationObject: attestation }
  const verified = await verifyRegistration(
    { challenge: readChallenge(preparation, organizer), links: preparation.links },
    { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
  )
  return async (scope) => {
    await useChallenge(scope, organizer)
    const row = { ...verified, organizer_id: organizer, label, created_at: scope.now, used_at: 0 }
    const passkey = await insertPasskey(scope.db, { ...row, transports: splitTransports(transports).join(',') })
    if (passkey === undefined) throw new Failure('PASSKEY_INVALID')
    await appendChange(scope, { kind: 'passkey.created', record: passkey })
    return { passkey: toPasskey({ ...row, id: passkey }, scope) }
  }
}

export async function startSignIn(scope: PreparationScope): Promise<Data<'startPasskeySignIn'>> {
  const challenge = issueChallenge(scope, noOrganizer)
  const rpId = relyingPartyOf(scope.links)
  return { options: { challenge, rpId, timeout: challengeMs, userVerification: 'required' } }
}

/**
 * Verifies a sign-in, before the transaction.
 * @returns uses the passkey in the transaction; both throw Failure PASSKEY_INVALID
 */
export async function authenticate(
  preparation: PreparationScope,
  { id, client_data, authenticator_data, signature, user_handle }: HandlerInput<'signInWithPasskey'>,
): Promise<(scope: WriteScope) => Promise<{ organizer_id: OrganizerId; passkey_id: PasskeyId }>> {
  const challenge = readChallenge(preparation, noOrganizer)
  const passkey = await findPasskey(preparation.db, id)
  if (!passkey || user_handle !== userHandleOf(passkey.organizer_id)) throw new Failure('PASSKEY_INVALID')
  const response = { clientDataJSON: client_data, authenticatorData: authenticator_data, signature }
  const counter = await verifySignIn({ challenge, links: preparation.links }, passkey, {
    ...{ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
  })
  return async (scope) => {
    await useChallenge(scope, noOrganizer)
    const use = { id: passkey.id, previous: passkey.counter, counter, used_at: scope.now }
    // It may have been removed, or used by a copy, since it was read.
    if (!(await markPasskeyUsed(scope.db, use))) throw new Failure('PASSKEY_INVALID')
    return { organizer_id: passkey.organizer_id, passkey_id: passkey.id }
  }
}

export const listPasskeys = async (scope: PersonalScope): Promise<Data<'listCredentials'>['passkeys']> =>
  (await listPasskeysOf(scope.db, scope.principal.organizer)).map((row) => toPasskey(row, scope))

/** @throws Failure PASSKEY_NOT_FOUND also for one of somebody else */
export async function removePasskey(
  scope: WriteScope,
  { passkey_id, end_sessions }: HandlerInput<'removePasskey'>,
): Promise<Data<'removePasskey'>> {
  if (!(await deletePasskey(scope.db, scope.principal.organizer, passkey_id))) throw new Failure('PASSKEY_NOT_FOUND')
  await appendChange(scope, { kind: 'passkey.removed', record: passkey_id })
  if (end_sessions === 1) await endSessionsOf(scope, passkey_id)
  return {}
}

/** Removes a passkey, whosever it is. @returns whether there was one */
export async function endPasskey(scope: WriteScope, id: PasskeyId): Promise<boolean> {
  if (!(await deletePasskeyOfAnyone(scope.db, id))) return false
  await appendChange(scope, { kind: 'passkey.removed', record: id })
  return true
}

/** Removes all passkeys of an organizer. */
export async function removePasskeysOf(scope: WriteScope, organizer: OrganizerId): Promise<void> {
  for (const { id } of await listPasskeysOf(scope.db, organizer)) {
    await deletePasskey(scope.db, organizer, id)
    await appendChange(scope, { kind: 'passkey.removed', record: id })
  }
}

/** The user handle that a device stores for an organizer, in base64url. It must say nothing about the person. */
const userHandleOf = (organizer: OrganizerId): string => Buffer.from(`organizer ${organizer}`).toString('base64url')

/** Those that a browser would accept; they only help it to find the device. */
const splitTransports = (text: string): string[] => text.split(',').filter((name) => /^[a-z-]{1,20}$/.test(name))

const toPasskey = (
  { id, label, created_at, used_at }: Pick<Row<'passkey'>, 'id' | 'label' | 'created_at' | 'used_at'>,
  { timestamp }: Scope,
) => ({ id: String(id), label, created_at: timestamp(created_at), used_at: timestamp(used_at) })

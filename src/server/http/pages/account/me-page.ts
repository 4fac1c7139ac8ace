import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Data } from '../../../../contract/index.ts'
import { commandName } from '../../../core/command-name.ts'
import type { Failure } from '../../../core/failure.ts'
import { isLastOwner } from '../../../domains/organizers/organizers.ts'
import type { Database } from '../../../storage/db/open.ts'
import { mountForm } from '../form.ts'
import { type Html, html } from '../html.ts'
import { failWith, redirect } from '../page.ts'
import { type AccountPages, failureNotice, nextIn, sendAccountPage, timesOf, toMinute } from './account-page.ts'
import { ownAccount } from './account-section.ts'
import { firstPasskey, ownPasskeys } from './passkeys-section.ts'

type Me = Data<'getMe'>['me']
type Credential = Data<'listCredentials'>['credentials'][number]

/**
 * Mounts `/me`, where people see who they are signed in as, and end their sessions and keys, and `/me/passkey`, where an
 * organizer adds the first passkey.
 */
export function mountMePage(app: FastifyInstance, pages: AccountPages, { read }: Pick<Database, 'read'>): void {
  const { runner } = pages
  const onFailure = (failure: Failure, reply: FastifyReply) => sendFailure(reply, pages, failure)
  app.get('/me', {
    onRequest: runner.authorize('getMe'),
    errorHandler: failWith(onFailure),
    handler: async (request, reply) => {
      const { me } = await runner.read('getMe', request, {})
      const { credentials, passkeys } = await runner.read('listCredentials', request, {})
      const waysBack = passkeys.length + Number(pages.hasProvider && me.identity !== null)
      const isStranded = waysBack === 0 && (await isLastOwner(read, request.principal.organizer))
      const content = contentOf(pages, me, credentials, isStranded)
      if (!me.organizer) return sendAccountPage(reply, pages, { title: 'Signed in', content })
      const withPasskeys = html`${content}${ownPasskeys(pages, passkeys)}`
      return sendAccountPage(reply, pages, { title: 'Signed in', content: withPasskeys })
    },
  })
  app.get('/me/passkey', {
    onRequest: runner.authorize('getMe'),
    errorHandler: failWith(onFailure),
    handler: async (request, reply) => {
      const { me } = await runner.read('getMe', request, {})
      const { passkeys } = await runner.read('listCredentials', request, {})
      const next = nextIn(request) || '/console'
      if (!me.organizer || passkeys.length > 0) return redirect(reply, pages.base + next)
      return sendAccountPage(reply, pages, { title: 'Come back without a link', content: firstPasskey(pages, next) })
    },
  })
  mountForm(app, pages, { path: '/me/sign-out', operation: 'signOut', next: '/sign-in', onFailure })
  mountForm(app, pages, { path: '/me/passkeys/:passkey_id/remove', operation: 'removePasskey', next: '/me', onFailure })
  mountForm(app, pages, {
    path: '/me/credentials/:credential_id/revoke',
    operation: 'revokeCredential',
    next: '/me',
    onFailure,
  })
  mountForm(app, pages, { path: '/me/identity/disconnect', operation: 'disconnectIdentity', next: '/me', onFailure })
}

/** Without a session, the person signs in again. */
async function sendFailure(reply: FastifyReply, pages: AccountPages, failure: Failure): Promise<FastifyReply> {
  if (failure.reason === 'UNAUTHENTICATED' || failure.reason === 'CREDENTIAL_EXPIRED')
    return redirect(reply, `${pages.base}/sign-in`)
  const content = html`${failureNotice(failure)}<p><a href="${pages.base}/me">Back</a></p>`
  return sendAccountPage(reply, pages, { title: 'That did not work', content })
}

/** @param isStranded whether nobody could sign in as an owner without this session */
const contentOf = (
  pages: AccountPages,
  me: Me,
  credentials: readonly Credential[],
  isStranded: boolean,
): Html => html`<div class="card">
<p class="name">${nameOf(me)}</p>
${me.roles.length > 0 ? html`<p>Roles: ${me.roles.join(', ')}</p>` : undefined}
${isStranded ? strandedWarning(pages, me) : undefined}
<form method="post" action="${pages.base}/me/sign-out">${isStranded ? html`<button>Sign out anyway</button>` : html`<button>Sign out</button>`}</form>
</div>
${pages.hasProvider && me.organizer ? ownAccount(pages, me) : undefined}
<h2>Where you are signed in</h2>
<ul class="credentials">
${credentials.map((credential) => itemOf(pages.base, credential))}</ul>
<p class="hint">What you end here stops working at once, on every device. Times are in the time zone ${pages.timeZone}.</p>`

const strandedWarning = (
  { hasProvider }: AccountPages,
  { organizer }: Me,
): Html => html`<p class="notice warn">You are the only owner, and have no
passkey${hasProvider ? ' and no connected account' : ''} to sign in with again. Add a passkey${hasProvider ? ' or connect an account' : ''}
below before you sign out, or this session ends. Otherwise only somebody with access to the server can let you in again:
<code>${commandName} organizer invite ${organizer?.email} --role owner</code></p>`

function nameOf({ participant, organizer }: Me): string {
  const name = participant ? `${participant.first_name} ${participant.last_name}`.trim() : ''
  return name || organizer?.email || participant?.email || 'A key that belongs to nobody'
}

const kinds: Readonly<Record<Credential['kind'], string>> = {
  bearer: 'Key',
  personal: 'Secret URL',
  app: 'Secret URL of an app',
  session: 'Browser',
  invitation: 'Unused invitation',
}

const itemOf = (base: string, { id, kind, label, created_at, used_at, expires_at, is_current }: Credential): Html => {
  const name = label || kinds[kind]
  return html`<li class="card">
<div>
<p class="name">${name}${is_current ? html` <span class="tag">this one</span>` : undefined}</p>
${timesOf({ Since: created_at, 'Last used': used_at, Ends: expires_at })}
</div>
${is_current ? undefined : html`<form method="post" action="${base}/me/credentials/${id}/revoke"><button class="danger" aria-label="End ${name}. Since ${toMinute(created_at)}">End</button></form>`}
</li>
`
}

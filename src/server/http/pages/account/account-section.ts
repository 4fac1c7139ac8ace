import type { FastifyRequest } from 'fastify'
import type { Data } from '../../../../contract/index.ts'
import { type Html, html } from '../html.ts'
import { type AccountPages, timesOf, withNext } from './account-page.ts'

/** For organizers who have connected an account. */
export const accountSection = (
  { base }: AccountPages,
  request: FastifyRequest,
): Html => html`<form class="card" method="post" action="${base}/sign-in/oidc${withNext(request)}">
<p>Organizers who have connected an account can sign in with it.</p>
<button>Sign in with your account</button>
</form>
`

/** Where an organizer connects an account, or disconnects it. */
export const ownAccount = ({ base }: AccountPages, { identity }: Data<'getMe'>['me']): Html =>
  identity
    ? html`<form class="card" method="post" action="${base}/me/identity/disconnect">
<p>You can sign in with this account:</p>
<p class="name">${identity.name || shorten(identity.subject)}</p>
<p class="hint">${identity.name && html`${shorten(identity.subject)} `}at ${identity.issuer}</p>
${timesOf({ Connected: identity.connected_at })}
<button>Disconnect</button>
</form>
`
    : html`<form class="card" method="post" action="${base}/sign-in/oidc/connect">
<p>Connect an account to sign in with it from now on, instead of an invitation.</p>
<button>Connect your account</button>
</form>
`

/** A subject may be a long number or code, whose beginning is enough to compare it. */
const shorten = (subject: string): string => (subject.length > 32 ? `${subject.slice(0, 32)}…` : subject)

import type { Data } from '../../contract/index.ts'
import { type Html, html } from './html.ts'
import type { Pages } from './page.ts'
import type { SignInSection } from './sign-in-page.ts'

/**
 * For organizers who have connected an account. It is a link, because the policy of the page keeps forms from leaving
 * this origin.
 */
export const accountSection = ({ base }: Pages): SignInSection => ({
  content: html`<div class="card">
<p>Organizers who have connected an account can sign in with it.</p>
<p><a class="button" href="${base}/sign-in/oidc">Sign in with your account</a></p>
</div>
`,
})

/** Where an organizer connects an account, or disconnects it. */
export const ownAccount = ({ base }: Pages, { identity }: Data<'getMe'>['me']): Html =>
  identity
    ? html`<div class="card">
<p>You can sign in with your account at ${identity.issuer}.</p>
<form method="post" action="${base}/me/identity/disconnect"><button class="quiet">Disconnect</button></form>
</div>
`
    : html`<div class="card">
<p>Connect an account to sign in with it from now on, instead of an invitation.</p>
<p><a class="button" href="${base}/sign-in/oidc/connect">Connect your account</a></p>
</div>
`

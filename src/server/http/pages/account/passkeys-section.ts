import type { Data } from '../../../../contract/index.ts'
import { type Html, html } from '../html.ts'
import { type AccountPages, timesOf } from './account-page.ts'

type Passkey = Data<'listCredentials'>['passkeys'][number]

/** The button for organizers who have a passkey. A script shows it, since browsers use passkeys for scripts only. */
export const passkeySignIn = (pages: AccountPages, next: string): Html =>
  sectionWith(
    pages,
    next,
    html`<form class="card passkey" hidden>
<p>Organizers who have added a passkey need no link.</p>
<button>Sign in with a passkey</button>
</form>
`,
  )

/** An organizer's own passkeys, to add and to remove. */
export const ownPasskeys = (pages: AccountPages, passkeys: readonly Passkey[]): Html =>
  sectionWith(
    pages,
    '/me',
    html`<h2>Your passkeys</h2>
<ul class="credentials">
${passkeys.map((passkey) => itemOf(pages, passkey))}</ul>
${addingForm(html`<button>Add a passkey</button>`)}`,
  )

/** Offers a passkey to an organizer who has none. @param next where to go on, below the base */
export const firstPasskey = (pages: AccountPages, next: string): Html =>
  sectionWith(
    pages,
    next,
    html`<p>The link with which you signed in does not work again. A passkey on this device lets you in from now on.</p>
${addingForm(html`<button class="primary">Add a passkey</button>`)}<p><a class="button" href="${pages.base}${next}">Not now</a></p>
`,
  )

const addingForm = (button: Html): Html => html`<form class="card passkey" hidden>
<label for="label">Name of this device or password manager</label>
<input id="label" name="label" required maxlength="100" autocomplete="off">
${button}
</form>
<p class="hint">With a passkey you sign in with your fingerprint, your face or a PIN, without a link.</p>
<noscript><p class="hint">To add one, allow JavaScript in your browser.</p></noscript>
`

const sectionWith = ({ base }: AccountPages, next: string, content: Html): Html =>
  html`<section id="passkeys" data-next="${base}${next}">
<p class="notice bad" role="alert" hidden></p>
${content}</section>
`

const itemOf = ({ base }: AccountPages, { id, label, created_at, used_at }: Passkey): Html => html`<li class="card">
<div>
<p class="name">${label}</p>
${timesOf({ Since: created_at, 'Last used': used_at })}
</div>
<form method="post" action="${base}/me/passkeys/${id}/remove">
<label class="option"><input type="checkbox" name="end_sessions" value="1"> Also end its sessions</label>
<button class="danger" aria-label="Remove ${label}">Remove</button>
</form>
</li>
`

import { type Html, html } from './html.ts'
import type { Pages } from './page.ts'
import type { SignInSection } from './sign-in-page.ts'

/** The form for somebody who was invited. A script takes the code from the link; without it, the code is typed. */
export const invitationForm = (pages: Pages): SignInSection =>
  formWith(pages, {
    path: '/sign-in',
    intro: 'Open the link of your invitation, or scan its QR code. An organizer can give you an invitation.',
    fields: html``,
    button: 'Sign in',
  })

/** The form for the first owner, with the setup link that the server prints. */
export const setupForm = (pages: Pages): SignInSection =>
  formWith(pages, {
    path: '/setup',
    intro:
      'Open the setup link: while the summit has no owner, it is on the server’s terminal or in the file setup-link of its ' +
      'DATA_DIR. A restart replaces it. If the summit has an owner, ask them for an invitation.',
    fields: html`<p>As the first owner of this summit, you can invite all others.</p>
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email">
`,
    button: 'Become the owner',
  })

interface Form {
  path: string
  intro: string
  fields: Html
  button: string
}

const formWith = ({ base }: Pages, { path, intro, fields, button }: Form): SignInSection => ({
  script: 'sign-in.js',
  content: html`<form class="card" method="post" action="${base}${path}">
${fields}<div id="code">
<p>${intro}</p>
<label for="token">Code of the link</label>
<input id="token" name="token" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="hint">
<p class="hint" id="hint">The part of the link after #. It begins with smt_.</p>
</div>
<p id="found" role="status" hidden>Your link works once, and signs you in with this browser.</p>
<button>${button}</button>
</form>
`,
})

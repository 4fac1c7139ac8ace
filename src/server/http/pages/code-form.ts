import { codeMinutes } from '../../auth/codes.ts'
import { html } from './html.ts'
import type { Pages } from './page.ts'
import type { SignInSection } from './sign-in-page.ts'

/** The form that asks for a code. The next page is the same for every address, known or not. */
export const emailForm = ({ base }: Pages): SignInSection => ({
  content: html`<form class="card" method="post" action="${base}/sign-in/email">
<p>Participants get a code by e-mail.</p>
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email">
<button>Send me a code</button>
</form>
`,
})

/** The form for the code in the mail. */
export const codeForm = ({ base }: Pages): SignInSection => ({
  content: html`<form class="card" method="post" action="${base}/sign-in/code">
<p>If a participant signs in with this address, a code is on its way to it.</p>
<label for="code">Code</label>
<input id="code" name="code" required maxlength="20" inputmode="numeric" autocomplete="one-time-code" autofocus aria-describedby="hint">
<p class="hint" id="hint">8 digits, valid for ${codeMinutes} minutes in this browser.</p>
<button>Sign in</button>
<p class="hint">No mail? Check your spam folder, <a href="${base}/sign-in">ask again</a>, or ask an organizer.</p>
</form>
`,
})

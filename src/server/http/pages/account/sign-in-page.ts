import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Data } from '../../../../contract/index.ts'
import { codeMinutes } from '../../../auth/codes.ts'
import { commandName } from '../../../core/command-name.ts'
import type { Failure } from '../../../core/failure.ts'
import { type Fields, formNotice, mountForm } from '../form.ts'
import { type Html, html } from '../html.ts'
import { pathOf } from '../page.ts'
import { type AccountPages, failureNotice, nextIn, sendAccountPage, withNext } from './account-page.ts'
import { accountSection } from './account-section.ts'
import { passkeySignIn } from './passkeys-section.ts'

/** The ways to sign in, in the order of the page. */
const sectionsOf = (pages: AccountPages, request: FastifyRequest): Html[] => [
  ...(pages.sendsCodes ? [emailForm(pages, request)] : []),
  invitationForm(pages, request),
  passkeySignIn(pages, nextIn(request) || '/console'),
  ...(pages.hasProvider ? [accountSection(pages, request)] : []),
]

/** Mounts `/sign-in`, `/sign-in/code` for a code that was sent by e-mail, and `/setup` for the first owner. */
export function mountSignInPages(app: FastifyInstance, pages: AccountPages): void {
  const redeeming = { operation: 'redeemInvitation', next: afterSignIn } as const
  app.get('/sign-in', (_request, reply) => sendSignInPage(reply, pages))
  mountForm(app, pages, {
    ...redeeming,
    path: '/sign-in',
    onFailure: (failure, reply) => sendSignInPage(reply, pages, failure),
  })
  if (pages.sendsCodes) mountCodePages(app, pages)
  app.get('/setup', (_request, reply) => sendSetupPage(reply, pages))
  mountForm(app, pages, {
    ...redeeming,
    path: '/setup',
    onFailure: (failure, reply, sent) => sendSetupPage(reply, pages, failure, sent),
  })
}

function mountCodePages(app: FastifyInstance, pages: AccountPages): void {
  app.get('/sign-in/code', (_request, reply) => sendCodePage(reply, pages))
  mountForm(app, pages, {
    path: '/sign-in/email',
    operation: 'requestSignInCode',
    next: (request) => `/sign-in/code${withNext(request)}`,
    onFailure: (failure, reply) => sendSignInPage(reply, pages, failure),
  })
  mountForm(app, pages, {
    path: '/sign-in/code',
    operation: 'redeemSignInCode',
    next: afterSignIn,
    onFailure: (failure, reply) => sendCodePage(reply, pages, failure),
  })
}

/** @param failure of an attempt to sign in */
export const sendSignInPage = (reply: FastifyReply, pages: AccountPages, failure?: Failure): Promise<FastifyReply> =>
  sendSections(reply, pages, { title: 'Sign in', sections: sectionsOf(pages, reply.request), failure })

const sendCodePage = (reply: FastifyReply, pages: AccountPages, failure?: Failure): Promise<FastifyReply> =>
  sendSections(reply, pages, { title: 'Enter your code', sections: [codeForm(pages, reply.request)], failure })

const sendSetupPage = (
  reply: FastifyReply,
  pages: AccountPages,
  failure?: Failure,
  sent: Fields = {},
): Promise<FastifyReply> =>
  sendSections(reply, pages, {
    title: 'Set up',
    sections: [...(failure?.reason === 'INVITATION_INVALID' ? [ownerAlready(pages)] : []), setupForm(pages, sent)],
    failure,
  })

interface SignIn {
  title: string
  sections: readonly Html[]
  failure: Failure | undefined
}

const sendSections = (
  reply: FastifyReply,
  pages: AccountPages,
  { title, sections, failure }: SignIn,
): Promise<FastifyReply> =>
  sendAccountPage(reply, pages, {
    title,
    content: html`${failure && (failure.reason === 'CROSS_ORIGIN' ? wrongAddress(pages, reply.request) : failureNotice(failure))}
${sections}
<p class="hint">Signed in already? <a href="${pages.base}/me">See as whom</a></p>
${otherName(pages, reply.request)}`,
  })

/** For somebody who has signed in at `localhost`, and then opened an address with the number of this machine. */
function otherName({ localUrl }: AccountPages, request: FastifyRequest): Html | undefined {
  const here = URL.parse(`http://${request.headers.host}`)
  if (localUrl === undefined || here?.origin === localUrl || here?.port !== URL.parse(localUrl)?.port) return undefined
  const own = `${localUrl}${nextIn(request) || '/console'}`
  return html`<p class="hint">Sessions and passkeys of <code>${localUrl}</code> are not known at this address. If you have signed in there,
<a href="${own}">go on there</a>.</p>`
}

/**
 * Where somebody goes on: the page that they wanted to see, or else the first one. An organizer without a passkey is offered
 * one before, as the link does not work again.
 */
const afterSignIn = (request: FastifyRequest, data: unknown): string =>
  (data as Data<'redeemInvitation'>).me.organizer ? `/me/passkey${withNext(request)}` : nextIn(request) || '/'

/** The form for somebody who was invited. A script takes the code from the link; without it, the code is typed. */
const invitationForm = (pages: AccountPages, request: FastifyRequest): Html =>
  formWith(pages, {
    path: `/sign-in${withNext(request)}`,
    intro: 'Open the link of your invitation, or scan its QR code. An organizer can give you an invitation.',
    fields: html``,
    button: 'Sign in',
  })

/** The form for the first owner, with the setup link that the server prints. */
const setupForm = (pages: AccountPages, { token = '', email = '' }: Fields): Html =>
  formWith(pages, {
    path: '/setup',
    intro:
      'Open the setup link: while the summit has no owner, it is on the server’s terminal or in the file setup-link of its ' +
      'DATA_DIR. A restart replaces it. If the summit has an owner, ask them for an invitation.',
    fields: html`<p>As the first owner of this summit, you can invite all others.</p>
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email" value="${String(email)}">
`,
    button: 'Become the owner',
    token: String(token),
  })

/** For somebody whose setup link does not work, most likely because they have used it. */
const ownerAlready = ({ base }: AccountPages): Html =>
  html`<p>If you are the owner already, <a href="${base}/sign-in">sign in</a>. Without a passkey, run this on the server for a
new link: <code>${commandName} organizer invite YOUR-ADDRESS --role owner</code></p>
`

/** For somebody who has opened the pages at another address, whose cookies would not be those of the summit. */
const wrongAddress = ({ url }: AccountPages, request: FastifyRequest): Html => {
  const own = url + (pathOf(request) === '/setup' ? '/setup' : '/sign-in')
  return formNotice(
    html`You cannot sign in at this address. Open <a href="${own}">${own}</a> instead: your link or code is not used up.`,
    'bad',
  )
}

interface Form {
  path: string
  intro: string
  fields: Html
  button: string
  /** The code of the link, if it was sent before. */
  token?: string
}

const formWith = (
  { base }: AccountPages,
  { path, intro, fields, button, token = '' }: Form,
): Html => html`<form class="card" method="post" action="${base}${path}">
${fields}<div id="code">
<p>${intro}</p>
<label for="token">Code of the link</label>
<input id="token" name="token" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="hint" value="${token}">
<p class="hint" id="hint">The whole link, or its part after #, which begins with smt_.</p>
</div>
<p id="found" role="status" hidden>Your link works once, and signs you in with this browser.</p>
<button class="primary">${button}</button>
</form>
`

/** The form that asks for a code. The next page is the same for every address, known or not. */
const emailForm = (
  { base }: AccountPages,
  request: FastifyRequest,
): Html => html`<form class="card" method="post" action="${base}/sign-in/email${withNext(request)}">
<p>Participants get a code by e-mail.</p>
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email">
<button class="primary">Send me a code</button>
</form>
`

/** The form for the code in the mail. */
const codeForm = (
  { base }: AccountPages,
  request: FastifyRequest,
): Html => html`<form class="card" method="post" action="${base}/sign-in/code${withNext(request)}">
<p>If a participant signs in with this address, a code is on its way to it.</p>
<label for="code">Code</label>
<input id="code" name="code" required maxlength="20" inputmode="numeric" autocomplete="one-time-code" autofocus aria-describedby="hint">
<p class="hint" id="hint">8 digits, valid for ${codeMinutes} minutes in this browser.</p>
<button class="primary">Sign in</button>
<p class="hint">No mail? Check your spam folder, <a href="${base}/sign-in${withNext(request)}">ask again</a>, or ask an organizer.</p>
</form>
`

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Failure } from '../../core/failure.ts'
import { accountSection } from './account-section.ts'
import type { AssetName } from './assets.ts'
import { codeForm, emailForm } from './code-form.ts'
import { mountForm } from './form.ts'
import { type Html, html } from './html.ts'
import { invitationForm, setupForm } from './invitation-form.ts'
import { alertOf, type Pages, sendPage } from './page.ts'
import { passkeySignIn } from './passkeys-section.ts'

/** One way to sign in. */
export interface SignInSection {
  content: Html
  script?: AssetName
}

/** The ways to sign in, in the order of the page. */
const sectionsOf = (pages: Pages): SignInSection[] => [
  ...(pages.sendsMail ? [emailForm(pages)] : []),
  invitationForm(pages),
  passkeySignIn(pages),
  ...(pages.hasProvider ? [accountSection(pages)] : []),
]

/** Mounts `/sign-in`, `/sign-in/code` for a code that was sent by e-mail, and `/setup` for the first owner. */
export function mountSignInPages(app: FastifyInstance, pages: Pages): void {
  const redeeming = { operation: 'redeemInvitation', next: '/me' } as const
  app.get('/sign-in', (_request, reply) => sendSignInPage(reply, pages))
  mountForm(app, pages, {
    ...redeeming,
    path: '/sign-in',
    onFailure: (failure, reply) => sendSignInPage(reply, pages, failure),
  })
  if (pages.sendsMail) mountCodePages(app, pages)
  app.get('/setup', (_request, reply) => sendSetupPage(reply, pages))
  mountForm(app, pages, {
    ...redeeming,
    path: '/setup',
    onFailure: (failure, reply) => sendSetupPage(reply, pages, failure),
  })
}

function mountCodePages(app: FastifyInstance, pages: Pages): void {
  app.get('/sign-in/code', (_request, reply) => sendCodePage(reply, pages))
  mountForm(app, pages, {
    path: '/sign-in/email',
    operation: 'requestSignInCode',
    next: '/sign-in/code',
    onFailure: (failure, reply) => sendSignInPage(reply, pages, failure),
  })
  mountForm(app, pages, {
    path: '/sign-in/code',
    operation: 'redeemSignInCode',
    next: '/me',
    onFailure: (failure, reply) => sendCodePage(reply, pages, failure),
  })
}

/** @param failure of an attempt to sign in */
export const sendSignInPage = (reply: FastifyReply, pages: Pages, failure?: Failure): FastifyReply =>
  sendSections(reply, pages, { title: 'Sign in', sections: sectionsOf(pages), failure })

const sendCodePage = (reply: FastifyReply, pages: Pages, failure?: Failure): FastifyReply =>
  sendSections(reply, pages, { title: 'Enter your code', sections: [codeForm(pages)], failure })

const sendSetupPage = (reply: FastifyReply, pages: Pages, failure?: Failure): FastifyReply =>
  sendSections(reply, pages, { title: 'Set up', sections: [setupForm(pages)], failure })

interface SignIn {
  title: string
  sections: readonly SignInSection[]
  failure: Failure | undefined
}

function sendSections(reply: FastifyReply, pages: Pages, { title, sections, failure }: SignIn): FastifyReply {
  return sendPage(reply, pages, {
    title,
    scripts: sections.flatMap(({ script }) => script ?? []),
    content: html`${failure && alertOf(failure)}
${sections.map(({ content }) => content)}
<p class="more">Signed in already? <a href="${pages.base}/me">See your sessions</a></p>`,
  })
}

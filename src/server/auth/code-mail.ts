import { unreadableNetwork } from '../core/principal.ts'
import type { Mail } from '../platform/mail/mailer.ts'
import type { WriteScope } from '../scope.ts'
import { type CodePurpose, type CreatedCode, codeMinutes } from './codes.ts'

const wording: Record<CodePurpose, (host: string) => { subject: string; sentence: string }> = {
  'sign-in': (host) => ({ subject: `Sign in to ${host}`, sentence: `Your code to sign in to ${host}:` }),
  'old address': (host) => ({
    subject: `Change your address at ${host}`,
    sentence: `Your code to sign in to ${host} with another address from now on:`,
  }),
  'new address': (host) => ({
    subject: `Confirm your address at ${host}`,
    sentence: `Your code to sign in to ${host} with this address from now on:`,
  }),
}

/** A mail with a code. It contains no link, which others could imitate. */
export function codeMail(
  { links, client: { network } }: Pick<WriteScope, 'links' | 'client'>,
  { purpose, email, code }: CreatedCode,
): Mail {
  const { subject, sentence } = wording[purpose](new URL(links.base).host)
  const lines = [
    sentence,
    '',
    `    ${code.slice(0, 4)} ${code.slice(4)}`,
    '',
    `Enter it in the same browser or app within ${codeMinutes} minutes.`,
    'Do not share it with anyone.',
    ...(network === '' || network === unreadableNetwork ? [] : [`It was requested from the address ${network}.`]),
    'If you did not request it, ignore this message.',
  ]
  return { to: email, subject, text: `${lines.join('\n')}\n` }
}

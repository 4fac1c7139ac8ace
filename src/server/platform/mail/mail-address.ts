import { domainToASCII } from 'node:url'
import { invalidField } from '../../core/failure.ts'

/**
 * Whether a text is one e-mail address to which mail is sent: as in `<input type=email>`
 * (https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address), at a domain with a dot (RFC 5321, 2.3.5), and
 * within SMTP's limits (4.5.3.1). Nothing in it can end a line, or begin another address. Imports, sign-in, settings and
 * the mailer all judge by this.
 */
export const isMailAddress = (text: string): boolean => text.length <= 254 && pattern.test(text)

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const pattern = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${label}(?:\\.${label})+$`)

/**
 * Whether an address has dots side by side or at an end of its first part, as some providers gave out. It is sent in
 * quotation marks then (RFC 5321, 4.1.2), which not every mail server accepts.
 */
export const isSentQuoted = (address: string): boolean => /^\.|\.\.|\.@/.test(address)

/** The form in which e-mail addresses are stored and compared. */
export const normalizeMailAddress = (text: string): string => cleanMailAddress(text).toLowerCase()

/**
 * An address as it is written, but without the invisible characters that come with text from chats and web pages, and
 * with an international domain as mail servers know it (`müller.example` is `xn--mller-kva.example`).
 */
export function cleanMailAddress(text: string): string {
  const seen = text.replace(invisible, '').trim()
  const at = seen.lastIndexOf('@') + 1
  const domain = seen.slice(at)
  // `domainToASCII` drops what follows the host in a URL, so it gets host names only.
  const ascii = at > 0 && internationalDomain.test(domain) ? domainToASCII(domain) : ''
  return ascii === '' ? seen : seen.slice(0, at) + ascii
}

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const internationalDomain = /^(?=.*\P{ASCII})[\p{L}\p{M}\p{N}.。．｡-]+$/u

/** Reads the member `email` of a request. @throws Failure VALIDATION_FAILED */
export function readMailAddress(text: string): string {
  const email = normalizeMailAddress(text)
  if (isMailAddress(email)) return email
  throw invalidField('email', 'NOT_AN_EMAIL', 'email must be an e-mail address.')
}

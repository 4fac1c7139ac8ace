import { isLoopback } from '../../core/loopback.ts'
import { isMailAddress } from './mail-address.ts'

/** Where mail goes: to the log, or to a mail server. */
export type MailTarget = PrintedMail | SmtpTarget

export type SmtpTarget = MailServer & { readonly from: Mailbox }

interface PrintedMail {
  readonly kind: 'log'
}

/** A server that accepts mail for others. */
interface MailServer {
  readonly kind: 'smtp'
  readonly host: string
  readonly port: number
  /** From the first byte, from the command STARTTLS, or none. */
  readonly encryption: 'tls' | 'starttls' | 'none'
  readonly credentials?: { readonly user: string; readonly pass: string }
}

export interface Mailbox {
  /** Empty for none. */
  readonly name: string
  readonly address: string
}

/** @param url `SMTP_URL` @param from `MAIL_FROM` @returns undefined without a URL @throws Error as `parseSmtpUrl` */
export function mailTarget(url: string | undefined, from = ''): MailTarget | undefined {
  if (url === undefined) return undefined
  const target = parseSmtpUrl(url)
  return target.kind === 'log' ? target : { ...target, from: parseMailbox(from) }
}

/**
 * Reads `smtp://[user:password@]host[:port][?tls=required|none]`, `smtps://[user:password@]host[:port]` or `log`. By
 * default `smtp` requires STARTTLS, but not of a server on this machine, which often has no certificate for its name.
 * @throws Error that does not quote the URL, as it may contain a password
 */
export function parseSmtpUrl(text: string): PrintedMail | MailServer {
  if (text === 'log') return { kind: 'log' }
  const { protocol, hostname, port, pathname, hash, searchParams, username, password } = new URL(text)
  if (hostname === '' || !/^\/?$/.test(pathname) || hash !== '') throw new Error('not only a host and parameters')
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    kind: 'smtp',
    host,
    port: Number(port || (protocol === 'smtps:' ? 465 : 587)),
    encryption: parseEncryption(`${protocol}//?${searchParams}`, isLoopback(host)),
    ...parseCredentials(username, password),
  }
}

function parseEncryption(form: string, isLocal: boolean): MailServer['encryption'] {
  switch (form) {
    case 'smtps://?':
      return 'tls'
    case 'smtp://?':
      return isLocal ? 'none' : 'starttls'
    case 'smtp://?tls=required':
      return 'starttls'
    case 'smtp://?tls=none':
      return 'none'
    default:
      throw new Error('unknown scheme or parameter')
  }
}

function parseCredentials(user: string, password: string): Pick<MailServer, 'credentials'> {
  if (user === '' && password === '') return {}
  if (user === '' || password === '') throw new Error('only one of user and password')
  return { credentials: { user: decodeURIComponent(user), pass: decodeURIComponent(password) } }
}

/** Reads `MAIL_FROM`: an address, or `Name <address>`. @throws Error */
export function parseMailbox(text: string): Mailbox {
  const [, name = '', bracketed] = /^"?([^"<>\p{Cc}]*?)"?\s*<([^<>]*)>$/u.exec(text) ?? []
  const address = bracketed ?? text
  if (!isMailAddress(address)) throw new Error('not an e-mail address')
  return { name, address }
}

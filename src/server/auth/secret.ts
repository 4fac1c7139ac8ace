import { hash, randomBytes } from 'node:crypto'

/** 256 random bits. The prefix lets people and scanners of source code recognize it. */
export const newSecret = (): string => `smt_${randomBytes(32).toString('base64url')}`

/** Whether a text has the form of a secret. */
export const isSecret = (text: string): boolean => /^smt_[\w-]{43}$/.test(text)

/** The form in which a secret is stored, as hex digits. */
export const hashSecret = (secret: string): string => hash('sha256', secret)

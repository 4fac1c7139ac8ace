import { hash, randomBytes } from 'node:crypto'

/** 256 random bits. The prefix lets people and scanners of source code recognize it. */
export const newSecret = (): string => `smt_${randomBytes(32).toString('base64url')}`

const secretPattern = /^smt_[\w-]{43}$/

/** The hash of a secret, as stored; undefined for a text that cannot be one. */
export const hashSecret = (secret: string): string | undefined =>
  secretPattern.test(secret) ? hash('sha256', secret) : undefined

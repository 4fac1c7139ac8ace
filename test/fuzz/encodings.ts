import { pairsOf } from '../http/form-pairs.ts'
import type { Members } from './values.ts'

/** Encodes members as a body, by media type. */
export const encodings: Record<string, (members: Members) => Buffer> = {
  'application/json': (members) => Buffer.from(JSON.stringify(members)),
  'application/x-www-form-urlencoded': (members) => Buffer.from(new URLSearchParams(pairsOf(members)).toString()),
  'multipart/form-data; boundary=b': (members) =>
    Buffer.from(
      `${pairsOf(members)
        .map(([name, value]) => part(`name="${name}"`, value))
        .join('')}--b--\r\n`,
    ),
}
export const part = (disposition: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${value}\r\n`

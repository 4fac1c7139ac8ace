import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { FailureEnvelope } from '../../src/contract/envelope.ts'
import type { TestApp } from '../app.ts'

const failure = Compile(FailureEnvelope)

export type Validity = 'valid' | 'invalid' | 'undefined'

/** A valid document passes the parser, but does not have the members of a topic. */
const codes: Record<Validity, number[]> = { valid: [4220], invalid: [4001], undefined: [4001, 4220] }

/** @param validity whether it is valid JSON; undefined where RFC 8259 leaves the choice to the parser */
export async function expectParsed(
  t: TestApp,
  body: string | Uint8Array<ArrayBuffer>,
  validity: Validity,
  name = String(body),
): Promise<void> {
  const response = await fetch(`${t.url}/api/newsfeeds/topics/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const envelope = JSON.parse(await response.text())
  expect(failure.Errors(envelope), name).toEqual([])
  expect(codes[validity], name).toContain(envelope[0].response_code)
}

import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { verify } from '../../src/client/verify.ts'
import { FailureEnvelope, Problem } from '../../src/contract/envelope.ts'
import { type FailureReason, failures, httpStatusOf } from '../../src/contract/failures.ts'
import { isAtPersonalUrl } from '../access/at-personal-url.ts'
import { signatureKey } from './example-app.ts'
import type { TestResponse } from './requests.ts'

/** The request headers on which responses depend: where people sign in, also those with their credential. */
const vary = isAtPersonalUrl ? 'Accept, Authorization, Cookie' : 'Accept'

const failureEnvelope = Compile(FailureEnvelope)
const problem = Compile(Problem)

/** Parses an envelope, whose headers and signature must be as specified. */
export async function readEnvelope(response: TestResponse) {
  const text = response.bytes.toString()
  expect(response.status, text).toBe(200)
  expect(response.header('vary')).toEqual([vary])
  expect(response.header('content-type')).toEqual(['application/json; charset=UTF-8'])
  expect(response.header('request-id')).toHaveLength(1)
  expect(response.header('content-length')).toEqual([String(response.bytes.length)])
  expect(await verify(text, signatureKey), `the signature of ${text}`).toBe(true)
  return JSON.parse(text)
}

const beginnings: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG\r\n\x1a\n',
  'application/xml': '<?xml version="1.0" encoding="UTF-8"?>\n<schedule>',
}

/** An image or a file that is of the type that it is said to be. */
export function expectBytes(response: TestResponse): void {
  const [type = ''] = response.header('content-type')
  const beginning = beginnings[type] ?? ''
  expect([response.status, type, Object.keys(beginnings)]).toEqual([200, type, expect.arrayContaining([type])])
  expect(response.bytes.toString('latin1', 0, beginning.length)).toBe(beginning)
}

export async function expectFailure(response: TestResponse, reason: FailureReason) {
  const envelope = await readEnvelope(response)
  expect(failureEnvelope.Errors(envelope)).toEqual([])
  const [{ response_code, data, system }] = envelope
  const { code, message } = failures[reason]
  expect({ response_code, reason: data.reason }).toEqual({ response_code: code, reason })
  expect([data.message, system.message]).toEqual([message, message])
  expect(data.request_id).toBe(response.header('request-id')[0])
  return data as { fields: { field: string; in: string; reason: string }[] }
}

export function expectProblem(response: TestResponse, reason: FailureReason): void {
  const body = JSON.parse(response.bytes.toString())
  expect(response.header('content-type')).toEqual(['application/problem+json; charset=utf-8'])
  expect(response.header('vary')).toEqual([vary])
  expect(problem.Errors(body)).toEqual([])
  const status = httpStatusOf(reason)
  const expected = { status, sent: status, reason, code: failures[reason].code }
  expect({ ...body, sent: response.status }).toMatchObject(expected)
}

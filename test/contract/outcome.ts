import { expect } from 'vitest'
import { responseCodes } from '../../src/contract/envelope.ts'
import type { SpecifiedOperationName } from '../../src/contract/index.ts'
import { withoutMediaKeys } from '../../src/server/core/media-key.ts'
import { readRecords, startExampleApp } from './example-app.ts'
import { examples } from './examples.ts'
import { encodings, requestFor, send, type TestRequest } from './requests.ts'
import { readEnvelope } from './responses.ts'

/** The response to a write that succeeds on the example app, and all records after it. */
export async function outcomeOf(request: TestRequest) {
  await using t = await startExampleApp()
  const [{ response_code, data }] = await readEnvelope(await send(t, request))
  expect(response_code).toBe(responseCodes.success)
  // Each app has media keys of its own.
  return { data: JSON.parse(withoutMediaKeys(JSON.stringify(data))), records: await readRecords(t) }
}

/** Not members of any request: members of responses, database columns, and names that reach a prototype. */
const foreignMembers = {
  ...{ id: 99, is_deleted: '1', is_posted: '1', google_id: 'g-1', deleted_by: '7', modified_by: '7' },
  ...{ created_at: '1999-01-01 00:00:00', modified_at: '1999-01-01 00:00:00', deleted_at: '1999-01-01 00:00:00' },
  ...{ topic_id: 2, comment_id: 2, participantId: 2, header: 'x', likes: [{ id: '9' }], comment_count: 3 },
  ...{ files: [{ kind: 'stored', blobKey: '../x' }], blob_key: '../x', file_type: 'text/html', unheard_of: '1' },
  ...{ ['__proto__']: { is_deleted: 1, name: 'x' }, constructor: { prototype: { is_deleted: 1 } } },
}

/** Asserts that an operation with foreign members does the same in each encoding as without them in JSON. */
export async function expectSameOutcome(
  name: SpecifiedOperationName,
  inEncodings: readonly (keyof typeof encodings)[],
): Promise<void> {
  const body = examples[name].body ?? {}
  const plain = await outcomeOf({ ...requestFor(name), ...encodings.json(body) })
  for (const encoding of inEncodings) {
    const request = { ...requestFor(name), ...encodings[encoding]({ ...foreignMembers, ...body }) }
    expect(await outcomeOf(request)).toEqual(plain)
  }
  expect(Object.prototype).not.toHaveProperty('is_deleted')
}

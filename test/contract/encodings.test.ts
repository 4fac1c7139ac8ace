import { expect, test } from 'vitest'
import { pairsOf } from '../http/form-pairs.ts'
import { startExampleApp } from './example-app.ts'
import { examples, withBody } from './examples.ts'
import { expectSameOutcome, outcomeOf } from './outcome.ts'
import { encodings, fileContent, multipart, requestFor, send } from './requests.ts'
import { expectFailure, readEnvelope } from './responses.ts'

// Operations alternate between the two kinds of form. The long tests send every operation in all three encodings.
const cases = withBody.map((name, index) => [name, index % 2 === 0 ? 'urlencoded' : 'multipart'] as const)

test.each(cases)('%s does the same as %s as in JSON, and ignores members that are not its own', (name, form) =>
  expectSameOutcome(name, [form]),
)

test('createTopic ignores members that are not its own in JSON, too', () => expectSameOutcome('createTopic', ['json']))

test.each(['createTopic', 'updateComment'] as const)(
  '%s stores the same file from base64 and from a part of any of three names',
  async (name) => {
    const { uploaded_files: _, ...members } = examples[name].body ?? {}
    const file = new File([], 'notes.txt', { type: 'text/plain' })
    const data = Buffer.from(fileContent).toString('base64')
    const inBase64 = { ...members, uploaded_files: [{ name: file.name, fileType: file.type, data }] }
    const expected = await outcomeOf({ ...requestFor(name), ...encodings.json(inBase64) })
    expect(JSON.stringify(expected.data)).toContain('/notes.txt","fileType":"text/plain"')
    for (const part of ['uploaded_files', 'uploaded_files[]', 'uploaded_files[7]']) {
      const request = { ...requestFor(name), ...multipart([...pairsOf(members), [part, file]]) }
      expect(await outcomeOf(request)).toEqual(expected)
    }
  },
)

test('a form may contain unescaped UTF-8, as curl sends it, and no other charset', async () => {
  await using t = await startExampleApp()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await send(t, { ...requestFor('createTopic'), headers, body: 'name=Grüße 🍲&created_by=1' })
  expect((await readEnvelope(response))[0].data.NewsFeed[0].content.header).toBe('Grüße 🍲')
  const latin1 = { ...requestFor('createTopic'), headers, body: Buffer.from('name=Grüße&created_by=1', 'latin1') }
  await expectFailure(await send(t, latin1), 'MALFORMED_FORM')
})

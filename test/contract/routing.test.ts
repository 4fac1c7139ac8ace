import { expect, test } from 'vitest'
import { responseCodes } from '../../src/contract/envelope.ts'
import { operationsIn } from '../../src/contract/index.ts'
import * as make from '../make.ts'
import { setUpUnchangedExampleApp, startExampleApp } from './example-app.ts'
import { deletes, names, operationOf } from './examples.ts'
import { requestFor, send } from './requests.ts'
import { expectBytes, expectFailure, readEnvelope } from './responses.ts'

const expectNoChange = setUpUnchangedExampleApp()

test('a trailing slash makes no difference', async () => {
  await using t = await startExampleApp()
  for (const name of [...names.filter((name) => !deletes.includes(name)), ...deletes]) {
    const { path, ...request } = requestFor(name)
    const response = await send(t, { ...request, path: `${path}/` })
    const { data } = operationOf(name)
    if (!data) expectBytes(response)
    else expect((await readEnvelope(response))[0].response_code, name).toBe(deletes.includes(name) ? 2000 : 1000)
  }
})

test.each([{}, { 'content-length': '0' }, { 'transfer-encoding': 'chunked' }])(
  'deletes accept a JSON content type without a body (%o)',
  async (length) => {
    await using t = await startExampleApp()
    for (const name of deletes) {
      const request = { ...requestFor(name), headers: { 'content-type': 'application/json', ...length } }
      expect((await readEnvelope(await send(t, request)))[0].response_code, name).toBe(responseCodes.deleted)
    }
  },
)

test('every path refuses other methods, and Allow lists its own', () =>
  expectNoChange(async (t) => {
    for (const name of names) {
      const { path } = operationOf(name)
      // Editors write what others read.
      const ofPath = operationsIn('open').flatMap(([, other]) => (other.path === path ? other.method : []))
      // A file may be called `delete`, so its link has the path that deletes it.
      const methods: string[] = name === 'deleteFile' ? ['GET', 'DELETE'] : ofPath
      const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])]
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
        if (allowed.includes(method)) continue
        const response = await send(t, { method, path: requestFor(name).path })
        await expectFailure(response, 'METHOD_NOT_ALLOWED')
        expect(response.header('allow').join().split(', ').sort(), `${method} ${path}`).toEqual(allowed.sort())
      }
      const accept = 'application/problem+json'
      const { status } = await send(t, { method: 'HEAD', path: requestFor(name).path, headers: { accept } })
      expect(status, `HEAD ${path}`).toBe(methods.includes('GET') ? 200 : 405)
    }
  }))

test('a file called like an action can be downloaded from its link', async () => {
  await using t = await startExampleApp()
  const file = new File(['Grüße'], 'delete', { type: 'text/plain' })
  const { NewsFeed } = await t.client.createTopic({ name: 'Odd name', created_by: 1 }, { files: [file] })
  const { content } = make.only(NewsFeed)
  const { pathname } = new URL(make.only(content.uploaded_files).link)
  const response = await send(t, { method: 'GET', path: pathname })
  expect(response.bytes.toString()).toBe('Grüße')
})

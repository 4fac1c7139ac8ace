import { describe, expect, test } from 'vitest'
import { codeOf, createPath, expectAlive, postText, sendRaw, setUpSharedRawApp } from './raw-requests.ts'

const app = setUpSharedRawApp()

const deepArray = '['.repeat(100_000) + ']'.repeat(100_000)
const deepObject = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`

describe('JSON nested 100,000 deep does no harm', () => {
  test.each([
    ['in an unknown member', `{"name":"x","created_by":1,"x":${deepArray}}`, 1000],
    ['in an unknown member, as objects', `{"name":"x","created_by":1,"x":${deepObject}}`, 1000],
    ['in the name', `{"name":${deepArray},"created_by":1}`, 4220],
    ['in the author', `{"name":"x","created_by":${deepObject}}`, 4220],
    ['in the files', `{"name":"x","created_by":1,"uploaded_files":${deepArray}}`, 4220],
    ['as the whole body', deepArray, 4220],
    ['as the whole body, of objects', deepObject, 4220],
    ['if it is never closed', '['.repeat(100_000), 4001],
  ])('%s', async (_, body, code) => {
    expect(codeOf(await sendRaw(app(), postText(createPath, 'application/json', body)))).toBe(code)
    await expectAlive(app())
  })
})

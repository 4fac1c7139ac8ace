import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { setUpSharedApp } from '../shared-app.ts'
import { findSharedData } from '../shared-data.ts'
import { expectParsed } from './json-bodies.ts'

const app = setUpSharedApp()

/** JSONTestSuite. The first letter of a file name says whether the file is valid JSON. */
const suite = findSharedData('corpora/json-test-suite')
const validities = { y: 'valid', n: 'invalid', i: 'undefined' } as const

test.skipIf(!suite)('every document of JSONTestSuite is parsed or refused as it demands', async () => {
  for (const file of readdirSync(suite ?? '')) {
    const validity = validities[file.charAt(0) as keyof typeof validities]
    await expectParsed(app(), Uint8Array.from(readFileSync(join(suite ?? '', file))), validity, file)
  }
})

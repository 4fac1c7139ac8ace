import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setUpSharedApp } from '../shared-app.ts'
import { findSharedData } from '../shared-data.ts'
import { textRoundTrips } from './text-round-trips.ts'

const app = setUpSharedApp()

const naughtyStrings = findSharedData('corpora/naughty-strings.json')

test.skipIf(!naughtyStrings).each(Object.entries(textRoundTrips))(
  'the big list of naughty strings in %s comes back unchanged, or is refused',
  async (_, send) => {
    const strings: string[] = JSON.parse(readFileSync(naughtyStrings ?? '', 'utf8'))
    expect(strings.length).toBeGreaterThan(400)
    await send(app(), strings)
  },
)

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectAnyTitleIsDrawn, expectReadable } from './placeholder.fixtures.ts'
import { drawPlaceholder } from './placeholder.ts'

test('the banners of twelve consecutive events have a contrast of at least 4.5:1 for white text', async () => {
  for (let id = 0; id < 12; id++) await expectReadable(id)
})

test('forty random titles are drawn', () => expectAnyTitleIsDrawn({ numRuns: 40 }))

test('a placeholder needs no system fonts', async () => {
  const script = `
    import { drawPlaceholder } from ${JSON.stringify(new URL('placeholder.ts', import.meta.url).href)}
    process.stdout.write(await drawPlaceholder({ id: 9, title: 'Opening keynote', kind: 'banner' }))`
  const bare = { FONTCONFIG_FILE: '/nonexistent', FONTCONFIG_PATH: '/nonexistent', HOME: '/nonexistent' }
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: bare })
  expect(child.stderr.toString()).toBe('')
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(digest(child.stdout)).toBe(digest(await drawPlaceholder({ id: 9, title: 'Opening keynote', kind: 'banner' })))
})

import { describe, expect, test } from 'vitest'
import { findMarkupProblems } from './markup.ts'
import { failingPaths, siteAddresses, startSite } from './site.ts'

const read = async (url: string, headers: Record<string, string>) => {
  const response = await fetch(url, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

/** How many records of a kind are read in each mode: all of the sample in one, as modes hardly change how pages are written. */
const ofEach = { open: 5, public: 60, members: 5 }

describe('the markup of every page is valid, with one h1, unique ids, a language and a label for each field', () => {
  test.each([
    { mode: 'open', content: 'sample' },
    { mode: 'public', content: 'sample' },
    { mode: 'members', content: 'sample' },
    { mode: 'public', content: 'empty' },
  ] as const)('with the $content in the mode $mode', { timeout: 60_000 }, async (options) => {
    await using site = await startSite(options)
    for (const { path, headers } of await siteAddresses(site, () => ofEach[options.mode])) {
      const { status, text } = await read(site.url + path, headers)
      expect(status, path).toBeLessThan(400)
      if (status === 200) expect(findMarkupProblems(text), path).toEqual([])
    }
    for (const path of failingPaths) {
      const { status, text } = await read(site.url + path, site.participant)
      expect([status, findMarkupProblems(text)], path).toEqual([404, []])
    }
  })

  test('and so is the page of a visitor who may not read', async () => {
    await using site = await startSite({ mode: 'members', content: 'sample' })
    for (const path of ['/sign-in', '/sign-in?next=%2Fprogram', '/nothing', '/setup'])
      expect(findMarkupProblems((await read(site.url + path, {})).text), path).toEqual([])
  })
})

test.each([
  ['<p>a<ul><li>b</li></ul></p>', 'an element that is not closed: <p>'],
  ['<a href="javascript:x()">a</a>', 'a link of another scheme: <a href="javascript:x()">'],
  ['<div id="a"></div><div id="a"></div>', 'the id a twice'],
  ['<input name="q">', 'no label: <input name="q">'],
  [
    '<img src="https://a.example/b.png" alt="">',
    'a picture of another site: <img src="https://a.example/b.png" alt="">',
  ],
  ['<p title="a"b>c</p>', 'parse error missing-whitespace-between-attributes at 1:95: '],
  ['<h1>Another</h1>', '2 elements h1'],
  ['<b onclick="x()">a</b>', 'a handler inline: <b onclick="x()">'],
])('the reader of markup is strict about %s', (content, problem) => {
  const page = `<!doctype html><html lang="en"><head><title>A</title></head><body><main><h1>A</h1>${content}</main></body></html>`
  expect(findMarkupProblems(page)).toEqual(expect.arrayContaining([expect.stringContaining(problem)]))
})

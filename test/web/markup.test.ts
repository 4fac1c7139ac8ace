import { expect, test } from 'vitest'
import { expectValidMarkup, readMarkup } from './markup.fixtures.ts'
import { findMarkupProblems } from './markup.ts'
import { startSite } from './site.ts'

test('the markup of every page is valid, with one h1, unique ids, a language and a label for each field', () =>
  expectValidMarkup({ mode: 'members', content: 'sample' }, 5))

test('the markup is also valid for a visitor who may not read', async () => {
  await using site = await startSite({ mode: 'members', content: 'sample' })
  for (const path of ['/sign-in', '/sign-in?next=%2Fprogram', '/nothing', '/setup'])
    expect(findMarkupProblems((await readMarkup(site.url + path, {})).text), path).toEqual([])
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

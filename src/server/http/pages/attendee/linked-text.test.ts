import { expect, test } from 'vitest'
import { cpuTime } from '../../../../../test/cpu-time.ts'
import { linkedText } from './linked-text.ts'

/** The URLs that a text links to, decoded as a browser does. */
const linksIn = (text: string): string[] =>
  [...linkedText(text).text.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => decode(href))

/** What readers see. */
const seenIn = (text: string): string => decode(linkedText(text).text.replace(/<[^>]*>/g, ''))

const decode = (markup: string): string => markup.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

test.each<[string, string[]]>([
  ['Nothing to see', []],
  ['https://summit.example', ['https://summit.example']],
  ['See https://summit.example/a?b=c&d=e#f, please.', ['https://summit.example/a?b=c&d=e#f']],
  [
    '(https://summit.example/a) or (see HTTP://summit.example/b).',
    ['https://summit.example/a', 'HTTP://summit.example/b'],
  ],
  ['https://wiki.example/Summit_(event)', ['https://wiki.example/Summit_(event)']],
  ['(https://wiki.example/Summit_(event))', ['https://wiki.example/Summit_(event)']],
  ['<https://summit.example/a>, "https://summit.example/b"', ['https://summit.example/a', 'https://summit.example/b']],
  ['one\nhttps://a.example/\nhttps://b.example/\n', ['https://a.example/', 'https://b.example/']],
  ['見てhttps://summit.example/予定。ありがとう', ['https://summit.example/予定']],
  ['https://summit.example/قاعة، حتى', ['https://summit.example/قاعة']],
  ['https://summit.example!!!', ['https://summit.example']],
])('of “%s”, links lead to %j', (text, urls) => {
  expect(linksIn(text)).toEqual(urls)
  expect(seenIn(text)).toBe(text)
})

test.each([
  ['another scheme', 'javascript:alert(1) data:text/html,x ftp://a.example file:///etc/passwd'],
  ['no host', 'https:// http:///x https://?q https://:80'],
  ['part of a word', 'xhttps://a.example'],
  ['a user, as which another host is shown', 'https://bank.example@evil.example https://bank.example:x@evil.example/'],
  ['what is no URL', 'https://[::1 https://a.example:99999/ https://%zz/'],
])('%s is no link', (_, text) => {
  expect(linksIn(text)).toEqual([])
  expect(seenIn(text)).toBe(text)
})

test.each([
  '<script>alert(1)</script>',
  'https://evil.example/"onmouseover="alert(1)',
  "https://evil.example/'onmouseover='alert(1)",
  'https://evil.example/<img src=x onerror=alert(1)>',
  'https://evil.example/&quot;onmouseover=alert(1)',
  'https://evil.example/`-alert(1)-`',
])('no text becomes markup: %s', (text) => {
  const { text: markup } = linkedText(text)
  expect(markup.replace(/<a href="[^"<>]*" rel="nofollow ugc noopener" dir="ltr">|<\/a>/g, '')).not.toMatch(/[<>"']/)
  expect(seenIn(text)).toBe(text)
})

test('a URL ends before signs that turn or hide what follows', () => {
  expect(linksIn('https://evil.example/\u202egpj.exe')).toEqual(['https://evil.example/'])
  expect(linksIn('https://evil.example/\u200b\u0000x')).toEqual(['https://evil.example/'])
})

test('a hostile text takes no longer than another of its length', () => {
  const started = cpuTime()
  for (const part of ['https://a.example/', ')', 'https://', '(', '.', 'https://a@', 'https://a)'])
    linkedText(part.repeat(100_000 / part.length))
  expect(cpuTime() - started).toBeLessThan(2_000)
})

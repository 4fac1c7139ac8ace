import { expect, test } from 'vitest'
import { redactPath } from './redact-path.ts'

test.each([
  ['/api/newsfeed/topics', '/api/newsfeed/topics'],
  ['/api/v2/newsFeeds/topic-list/', '/api/v2/newsFeeds/topic-list/'],
  ['/k/secret/api/nothing', '/k/…/api/nothing'],
  ['/index.html', '/index.html'],
  ['/api/topics/17/create', '/api/topics/…/create'],
  ['/p/Zm9vYmFyYmF6cXV4/3f0dc0ffee/api', '/p/…/…/api'],
  ['/api/participants/ana@x.example/%C3%A9', '/api/participants/…/…'],
  [`/${'a'.repeat(25)}`, '/…'],
  ['/"\n\\/x', '/…/x'],
  ['/a'.repeat(1_000), '/a'.repeat(11)],
  ['*', '…'],
])('the path %j is redacted to %j', (path, redacted) => {
  expect(redactPath(path)).toBe(redacted)
})

/**
 * Segments like those of real paths and of typical mistakes: `topics`, `newsFeeds`, `news-feeds`, `index.html`, `v2`.
 */
const word = /^(?:v\d{1,2}|[A-Za-z]?[a-z]+(?:[A-Z._-][a-z]+)*)$/
const maxWord = 24
const maxSegments = 12

/** The segment after this one is a personal secret, as in `/k/{secret}`. */
const secretFollows = 'k'

/**
 * Redacts an unknown path for the log: words stay, and any other segment, which may be an e-mail address or a key,
 * becomes `…`. `/api/newsfeed/topics/7` becomes `/api/newsfeed/topics/…`. The result needs no escaping in JSON.
 */
export const redactPath = (path: string): string =>
  path
    .split('/', maxSegments)
    .map((segment, at, all) => (isPublic(segment) && all[at - 1] !== secretFollows ? segment : '…'))
    .join('/')

const isPublic = (segment: string): boolean => segment === '' || (segment.length <= maxWord && word.test(segment))

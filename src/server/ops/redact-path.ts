/** As paths of ours are written, or as somebody mistakes them: `topics`, `newsFeeds`, `news-feeds`, `index.html`, `v2`. */
const word = /^(?:v\d{1,2}|[A-Za-z]?[a-z]+(?:[A-Z._-][a-z]+)*)$/
const maxWord = 24
const maxSegments = 12

/** What follows is somebody's own, as in `/k/{secret}` (decisions, "Access"). */
const secretFollows = 'k'

/**
 * A path that leads nowhere, for the log: its words as they are, and `…` for all else, as that may be somebody's address
 * or a key. `/api/newsfeed/topics/7` is told as `/api/newsfeed/topics/…`. Nothing in it has to be escaped in JSON.
 */
export const redactPath = (path: string): string =>
  path
    .split('/', maxSegments)
    .map((segment, at, all) => (isTold(segment) && all[at - 1] !== secretFollows ? segment : '…'))
    .join('/')

const isTold = (segment: string): boolean => segment === '' || (segment.length <= maxWord && word.test(segment))

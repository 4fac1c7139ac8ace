import type { Server } from '../server.ts'
import type { Request } from '../workload.ts'
import { asked } from './asked.ts'
import type { Peer } from './peer.ts'

/** Reads of a case that are looked at. */
const most = 3

/**
 * Looks at the first reads of a case, and at what the first write has made, on both sides.
 * @throws Error when they do not say the same, so that one has more to find, to keep and to send than the other
 */
export async function requireSameTexts(requests: Request[], ours: Server, other: Peer, theirs: Server): Promise<void> {
  const reads = requests.filter(({ method }) => method === 'GET').slice(0, most)
  const write = requests.find(({ method }) => method === 'POST')
  if (write) {
    await answer(ours, write)
    await answer(theirs, other.requestFor(asked(write)))
    reads.push(showing(write))
  }
  for (const read of reads) {
    const counterpart = other.requestFor(asked(read))
    const [here, there] = [textsIn(await answer(ours, read)), textsIn(await answer(theirs, counterpart))]
    if (here.length === 0 || here.join('\n') !== there.join('\n'))
      throw new Error(`${read.path} says ${here.length} texts, and ${counterpart.path} other ${there.length}`)
  }
}

/** The read that shows what a write has made. */
function showing(write: Request): Request {
  const made = asked(write)
  switch (made.what) {
    case 'new comment':
      return { method: 'GET', path: `/api/newsfeeds/topics/${made.topic}/details` }
    case 'new topic':
      return { method: 'GET', path: '/api/newsfeeds/topics/0/20' }
    default:
      return { method: 'GET', path: '/api/feedback/list/0/20' }
  }
}

async function answer({ url, headers = {} }: Server, { method, path, body }: Request): Promise<unknown> {
  const type = { 'Content-Type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers: { ...headers, ...type }, body: body ?? null })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** What people wrote has words, with spaces between; and there are links to photos and files. */
const isText = (value: unknown): value is string => typeof value === 'string' && /^https:|\p{L}\S* /u.test(value)

/** The texts and links anywhere in an answer, sorted: the names of fields do not count, nor does the shape. */
export function textsIn(answer: unknown): string[] {
  if (isText(answer)) return [answer]
  if (typeof answer !== 'object' || answer === null) return []
  return Object.values(answer).flatMap(textsIn).sort()
}

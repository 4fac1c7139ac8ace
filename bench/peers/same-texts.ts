import type { Server } from '../server.ts'
import type { Request } from '../workload.ts'
import { parseOperation } from './operation.ts'
import type { Peer } from './peer.ts'

/** The number of reads of a case that are compared. */
const maxReads = 3

/**
 * Sends the first reads of a case to both servers, and its first write with a read that shows the new record.
 * @throws Error if their responses contain different texts, in which case their work would not be comparable
 */
export async function assertSameTexts(
  requests: Request[],
  summit: Server,
  peer: Peer,
  peerServer: Server,
): Promise<void> {
  const reads = requests.filter(({ method }) => method === 'GET').slice(0, maxReads)
  const write = requests.find(({ method }) => method === 'POST')
  if (write) {
    await send(summit, write)
    await send(peerServer, peer.toRequest(parseOperation(write)))
    reads.push(readAfter(write))
  }
  for (const read of reads) {
    const peerRead = peer.toRequest(parseOperation(read))
    const summitTexts = extractTexts(await send(summit, read))
    const peerTexts = extractTexts(await send(peerServer, peerRead))
    if (summitTexts.length === 0 || summitTexts.join('\n') !== peerTexts.join('\n'))
      throw new Error(
        `the responses differ: ${summitTexts.length} texts from ${read.path}, ${peerTexts.length} from ${peerRead.path}`,
      )
  }
}

/** The read that shows the record created by a write. */
function readAfter(write: Request): Request {
  const operation = parseOperation(write)
  switch (operation.kind) {
    case 'create comment':
      return { method: 'GET', path: `/api/newsfeeds/topics/${operation.topicId}/details` }
    case 'create topic':
      return { method: 'GET', path: '/api/newsfeeds/topics/0/20' }
    default:
      return { method: 'GET', path: '/api/feedback/list/0/20' }
  }
}

async function send({ url, headers = {} }: Server, { method, path, body }: Request): Promise<unknown> {
  const type = { 'Content-Type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers: { ...headers, ...type }, body: body ?? null })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Texts of users contain a word and a space; links to photos and files begin with https. */
const isText = (value: unknown): value is string => typeof value === 'string' && /^https:|\p{L}\S* /u.test(value)

/** The texts and links of a response, sorted, regardless of its structure and field names. */
export function extractTexts(response: unknown): string[] {
  if (isText(response)) return [response]
  if (typeof response !== 'object' || response === null) return []
  return Object.values(response).flatMap(extractTexts).sort()
}

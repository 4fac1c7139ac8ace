import { createHash } from 'node:crypto'
import type { Comment, Topic } from '../../src/contract/newsfeed.ts'
import { type ExpectedData, type ExpectedFile, type ExpectedTopic, type Facts, findDifferences } from './expected.ts'
import type { Target } from './server-process.ts'
import { fileNameOf } from './write.ts'

/** Concurrent requests. */
const concurrency = 8

/**
 * Compares these topics, with their comments, likes and files, as the API returns them with the expected data.
 * Downloads every file, and requests deleted records by their ids.
 * @param feedbackSince feedback with a higher id is compared as well
 * @returns one line for each difference
 */
export async function findApiDifferences(
  server: Target,
  expected: ExpectedData,
  topicIds: number[],
  feedbackSince: number,
): Promise<string[]> {
  const problems: string[] = []
  const waiting = [...topicIds]
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const topic = expected.topics.get(id)
      if (!topic) continue
      problems.push(...findDifferences(expectedFacts(id, topic), await readApiFacts(server, id, topic)))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return [...problems, ...(await findFeedbackDifferences(server, expected, feedbackSince))]
}

function expectedFacts(id: number, topic: ExpectedTopic): Facts {
  const facts: Facts = new Map([[`topic ${id}`, topic.isDeleted ? 'missing' : `"${topic.text}"`]])
  const likes = [...topic.likes.values()].filter((isDeleted) => !isDeleted).length
  if (!topic.isDeleted) facts.set(`likes of topic ${id}`, String(likes))
  addExpectedFiles(facts, topic.files, topic.isDeleted)
  for (const [commentId, comment] of topic.comments) {
    const isMissing = topic.isDeleted || comment.isDeleted
    facts.set(`comment ${commentId}`, isMissing ? 'missing' : `"${comment.text}"`)
    addExpectedFiles(facts, comment.files, isMissing)
  }
  return facts
}

function addExpectedFiles(facts: Facts, files: Map<string, ExpectedFile>, isMissing: boolean): void {
  for (const [name, { sha256, deletedId }] of files)
    if (deletedId > 0) facts.set(`file ${name}`, 'missing')
    else if (!isMissing) facts.set(`file ${name}`, sha256)
}

async function readApiFacts({ client, url }: Target, id: number, expected: ExpectedTopic): Promise<Facts> {
  const facts: Facts = new Map()
  const topic = await findRecord<Topic>(client.call('getTopic', { topic_id: id }))
  facts.set(`topic ${id}`, topic ? `"${topic.content.header}"` : 'missing')
  if (topic) facts.set(`likes of topic ${id}`, String(topic.likes.length))
  const links = topic?.content.uploaded_files.map((file) => file.link) ?? []

  for (const comment of topic?.comments ?? []) {
    facts.set(`comment ${comment.id}`, `"${comment.comment}"`)
    links.push(...comment.uploaded_files.map((file) => file.link))
  }
  for (const commentId of expected.comments.keys()) {
    if (facts.has(`comment ${commentId}`)) continue
    const comment = await findRecord<Comment>(client.call('getComment', { comment_id: commentId }))
    facts.set(`comment ${commentId}`, comment ? `"${comment.comment}", but not with its topic` : 'missing')
  }

  for (const link of links) facts.set(`file ${fileNameOf(link)}`, await hashOf(link))
  for (const { files } of [expected, ...expected.comments.values()])
    for (const [name, { deletedId }] of files)
      if (deletedId > 0)
        facts.set(`file ${name}`, await hashOf(`${url}/api/newsfeeds/files/${deletedId}/${encodeURIComponent(name)}`))
  return facts
}

/** The record in a response, or undefined if it does not exist. @throws Error on any other failure */
async function findRecord<T>(
  response: Promise<{ envelope: { response_code: number; data: object } }>,
): Promise<T | undefined> {
  const { envelope } = await response
  if (envelope.response_code === 4040) return undefined
  const data: { NewsFeed?: T[]; comments?: T[] } = envelope.data
  const records = data.NewsFeed ?? data.comments
  if (records?.length !== 1) throw new Error(`expected one record, got ${JSON.stringify(envelope)}`)
  return records[0]
}

/** The hash of a downloaded file, or `missing`. */
async function hashOf(link: string): Promise<string> {
  const response = await fetch(link)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.headers.get('content-type')?.startsWith('application/json'))
    return bytes.includes('"FILE_NOT_FOUND"') ? 'missing' : bytes.toString()
  return createHash('sha256').update(bytes).digest('hex')
}

async function findFeedbackDifferences({ client }: Target, expected: ExpectedData, since: number): Promise<string[]> {
  const recent = [...expected.feedback].filter(([id]) => id > since)
  // More than expected, to find duplicates.
  const { feedbacks } = await client.listFeedback({ offset: 0, limit: Math.min(1_000, recent.length + 10) })
  const found = feedbacks.filter(({ id }) => Number(id) > since)
  return findDifferences(
    new Map(recent.map(([id, { text }]) => [`feedback ${id}`, `"${text}"`])),
    new Map(found.map(({ id, comments }) => [`feedback ${id}`, `"${comments}"`])),
  )
}

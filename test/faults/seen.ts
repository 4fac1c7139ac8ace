import { createHash } from 'node:crypto'
import type { Comment, Topic } from '../../src/contract/newsfeed.ts'
import { differences, type Expected, type ExpectedFile, type ExpectedTopic, type Facts } from './expected.ts'
import type { Target } from './server-process.ts'
import { nameOf } from './write.ts'

/** Requests at once; enough to keep the server busy. */
const atOnce = 8

/**
 * Compares what a client sees of these topics, with all that hangs on them, with what it should see: every file is
 * downloaded, and what was deleted is asked for by its id.
 * @param feedbackSince feedback with a higher id is compared as well
 * @returns where it differs, one line each
 */
export async function differencesSeen(
  server: Target,
  expected: Expected,
  topicIds: number[],
  feedbackSince: number,
): Promise<string[]> {
  const problems: string[] = []
  const waiting = [...topicIds]
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const topic = expected.topics.get(id)
      if (!topic) continue
      problems.push(...differences(factsToSee(id, topic), await factsSeen(server, id, topic)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return [...problems, ...(await differencesInFeedback(server, expected, feedbackSince))]
}

function factsToSee(id: number, topic: ExpectedTopic): Facts {
  const facts: Facts = new Map([[`topic ${id}`, topic.isDeleted ? 'missing' : `"${topic.text}"`]])
  const likes = [...topic.likes.values()].filter((isDeleted) => !isDeleted).length
  if (!topic.isDeleted) facts.set(`likes of topic ${id}`, String(likes))
  addFilesToSee(facts, topic.files, topic.isDeleted)
  for (const [commentId, comment] of topic.comments) {
    const isGone = topic.isDeleted || comment.isDeleted
    facts.set(`comment ${commentId}`, isGone ? 'missing' : `"${comment.text}"`)
    addFilesToSee(facts, comment.files, isGone)
  }
  return facts
}

function addFilesToSee(facts: Facts, files: Map<string, ExpectedFile>, isGone: boolean): void {
  for (const [name, { sha256, deletedId }] of files)
    if (deletedId > 0) facts.set(`file ${name}`, 'missing')
    else if (!isGone) facts.set(`file ${name}`, sha256)
}

async function factsSeen({ client, url }: Target, id: number, expected: ExpectedTopic): Promise<Facts> {
  const facts: Facts = new Map()
  const topic = await found<Topic>(client.call('getTopic', { topic_id: id }))
  facts.set(`topic ${id}`, topic ? `"${topic.content.header}"` : 'missing')
  if (topic) facts.set(`likes of topic ${id}`, String(topic.likes.length))
  const links = topic?.content.uploaded_files.map((file) => file.link) ?? []

  for (const comment of topic?.comments ?? []) {
    facts.set(`comment ${comment.id}`, `"${comment.comment}"`)
    links.push(...comment.uploaded_files.map((file) => file.link))
  }
  for (const commentId of expected.comments.keys()) {
    if (facts.has(`comment ${commentId}`)) continue
    const comment = await found<Comment>(client.call('getComment', { comment_id: commentId }))
    facts.set(`comment ${commentId}`, comment ? `"${comment.comment}", but not with its topic` : 'missing')
  }

  for (const link of links) facts.set(`file ${nameOf(link)}`, await hashOf(link))
  for (const { files } of [expected, ...expected.comments.values()])
    for (const [name, { deletedId }] of files)
      if (deletedId > 0)
        facts.set(`file ${name}`, await hashOf(`${url}/api/newsfeeds/files/${deletedId}/${encodeURIComponent(name)}`))
  return facts
}

/** The record that is answered, or undefined where there is none. @throws Error on any other failure */
async function found<T>(
  answer: Promise<{ envelope: { response_code: number; data: object } }>,
): Promise<T | undefined> {
  const { envelope } = await answer
  if (envelope.response_code === 4040) return undefined
  const data: { NewsFeed?: T[]; comments?: T[] } = envelope.data
  const records = data.NewsFeed ?? data.comments
  if (records?.length !== 1) throw new Error(`expected one record, got ${JSON.stringify(envelope)}`)
  return records[0]
}

/** The hash of the bytes behind a link, or `missing`. */
async function hashOf(link: string): Promise<string> {
  const response = await fetch(link)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.headers.get('content-type')?.startsWith('application/json'))
    return bytes.includes('"FILE_NOT_FOUND"') ? 'missing' : bytes.toString()
  return createHash('sha256').update(bytes).digest('hex')
}

async function differencesInFeedback({ client }: Target, expected: Expected, since: number): Promise<string[]> {
  const wanted = [...expected.feedback].filter(([id]) => id > since)
  // More than are expected, so that one that is there twice is seen.
  const { feedbacks } = await client.listFeedback({ offset: 0, limit: Math.min(1_000, wanted.length + 10) })
  const seen = feedbacks.filter(({ id }) => Number(id) > since)
  return differences(
    new Map(wanted.map(([id, { text }]) => [`feedback ${id}`, `"${text}"`])),
    new Map(seen.map(({ id, comments }) => [`feedback ${id}`, `"${comments}"`])),
  )
}

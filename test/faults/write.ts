import { type Client, type EnvelopeResponse, isSuccess } from '../../src/client/client.ts'
import type { JsonOperationName } from '../../src/contract/index.ts'

/** A file that is sent, with what it must come back as. */
export interface SentFile {
  /** Unique, so that the file is known by it. */
  name: string
  bytes: Buffer<ArrayBuffer>
  sha256: string
}

/** The writes that are tried, by the name that the change log has for them. */
export type WriteKind =
  | 'topic.created'
  | 'topic.updated'
  | 'topic.deleted'
  | 'topic.liked'
  | 'topic.unliked'
  | 'comment.created'
  | 'comment.updated'
  | 'comment.deleted'
  | 'file.deleted'
  | 'feedback.added'

/** One write that a client wants. */
export interface Write {
  kind: WriteKind
  /** What it is done to; 0 where it makes something new. */
  record: number
  /** The topic that it belongs to; 0 for feedback and for a new topic. */
  topic: number
  /** The participant, as the change log names it: 0 for a delete. */
  actor: number
  /** What is written; unique, so that a record is known by it. For a file that is deleted its name. */
  text: string
  files: SentFile[]
  idempotencyKey: string | undefined
}

/** The answer to a write. */
export interface Reply {
  ok: boolean
  code: number
  requestId: string
  replayed: boolean
  /** What was written to, or made. */
  record: number
  /** All files that the record has now. */
  files: { id: number; name: string }[]
}

/** Sends a write. @throws when there is no answer, so that nobody knows what became of it */
export async function send(client: Client, write: Write): Promise<Reply> {
  const { envelope, headers } = await call(client, write)
  const data: object = isSuccess(envelope) ? envelope.data : {}
  const { NewsFeed, comments, feedbacks }: Partial<Shown> = data
  const made = NewsFeed?.[0] ?? comments?.[0] ?? feedbacks
  const files = made?.content?.uploaded_files ?? made?.uploaded_files ?? []
  return {
    ok: isSuccess(envelope),
    code: envelope.response_code,
    requestId: headers.get('request-id') ?? '',
    replayed: headers.get('idempotency-replayed') === 'true',
    record: write.record || Number(made?.id ?? 0),
    files: files.map(({ id = '', link }) => ({ id: Number(id), name: nameOf(link) })),
  }
}

/** The members of an answer's `data` that show what was written. */
interface Shown {
  NewsFeed: Made[]
  comments: Made[]
  feedbacks: Made
}

interface Made {
  id: string
  content?: { uploaded_files: Attached[] }
  uploaded_files?: Attached[]
}

interface Attached {
  id?: string
  link: string
}

/** The file's name is the last segment of its link. */
export const nameOf = (link: string): string => decodeURIComponent(link.split('/').at(-1) ?? '')

function call(
  client: Client,
  write: Write,
): Promise<Pick<EnvelopeResponse<JsonOperationName>, 'envelope' | 'headers'>> {
  const { kind, record, topic: topic_id, actor, text, files, idempotencyKey } = write
  const options = {
    ...(files.length > 0 && { files: files.map(({ bytes, name }) => new File([bytes], name)) }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
  switch (kind) {
    case 'topic.created':
      return client.call('createTopic', { name: text, created_by: actor }, options)
    case 'topic.updated':
      return client.call('updateTopic', { topic_id, name: text, updated_by: actor }, options)
    case 'topic.deleted':
      return client.call('deleteTopic', { topic_id }, options)
    case 'topic.liked':
      return client.call('likeTopic', { topic_id, created_by: actor }, options)
    case 'topic.unliked':
      return client.call('unlikeTopic', { topic_id, participant_id: actor }, options)
    case 'comment.created':
      return client.call('createComment', { topic_id, comment: text, created_by: actor }, options)
    case 'comment.updated':
      return client.call('updateComment', { comment_id: record, comment: text, updated_by: actor }, options)
    case 'comment.deleted':
      return client.call('deleteComment', { comment_id: record }, options)
    case 'file.deleted':
      return client.call('deleteFile', { file_Id: record }, options)
    case 'feedback.added':
      return client.call('addFeedback', { participant_id: actor, comments: text }, options)
  }
}

import { type Client, type EnvelopeResponse, isSuccess } from '../../src/client/client.ts'
import type { JsonOperationName } from '../../src/contract/index.ts'

/** A file with the hash of its bytes. */
export interface SentFile {
  /** Unique, as it identifies the file. */
  name: string
  bytes: Buffer<ArrayBuffer>
  sha256: string
}

/** As the change log names them. */
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

export interface Write {
  kind: WriteKind
  /** The id of the record that is changed; 0 if it is created. */
  record: number
  /** The id of its topic; 0 for feedback and for a new topic. */
  topic: number
  /** The participant, as in the change log: 0 for a delete. */
  actor: number
  /** The text that is written, unique so that it identifies the record. For a deleted file, its name. */
  text: string
  files: SentFile[]
  idempotencyKey: string | undefined
}

export interface WriteResponse {
  ok: boolean
  code: number
  requestId: string
  replayed: boolean
  /** The id of the record that was changed or created. */
  record: number
  /** All files of the record. */
  files: { id: number; name: string }[]
}

/** @throws Error if there is no response, so that the outcome is unknown */
export async function sendWrite(client: Client, write: Write): Promise<WriteResponse> {
  const { envelope, headers } = await call(client, write)
  const data: object = isSuccess(envelope) ? envelope.data : {}
  const { NewsFeed, comments, feedbacks }: Partial<ResponseData> = data
  const changed = NewsFeed?.[0] ?? comments?.[0] ?? feedbacks
  const files = changed?.content?.uploaded_files ?? changed?.uploaded_files ?? []
  return {
    ok: isSuccess(envelope),
    code: envelope.response_code,
    requestId: headers.get('request-id') ?? '',
    replayed: headers.get('idempotency-replayed') === 'true',
    record: write.record || Number(changed?.id ?? 0),
    files: files.map(({ id = '', link }) => ({ id: Number(id), name: fileNameOf(link) })),
  }
}

/** The members of `data` that contain the record. */
interface ResponseData {
  NewsFeed: ResponseRecord[]
  comments: ResponseRecord[]
  feedbacks: ResponseRecord
}

interface ResponseRecord {
  id: string
  content?: { uploaded_files: ResponseFile[] }
  uploaded_files?: ResponseFile[]
}

interface ResponseFile {
  id?: string
  link: string
}

/** The file's name is the last segment of its link. */
export const fileNameOf = (link: string): string => decodeURIComponent(link.split('/').at(-1) ?? '')

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

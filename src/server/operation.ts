import type { Readable } from 'node:stream'
import type { ReadAccess } from '../contract/access.ts'
import type {
  BytesOperationName,
  Data,
  Input,
  JsonOperationName,
  JsonWriteName,
  OperationName,
  Operations,
} from '../contract/index.ts'
import type { FileMember, PhotoMember, UploadsMember } from '../contract/uploads.ts'
import type { Failure } from './core/failure.ts'
import type { InputWithIds } from './core/ids.ts'
import type { PersonalScope, PreparationScope, RequestScope, Scope } from './scope.ts'
import type { ByteRange, StagedBlob } from './storage/blobs/blob-store.ts'
import type { DamagedBlob } from './storage/blobs/damaged-blob.ts'

/** A file to attach: an external link, or bytes stored under `blobKey`. */
export type NewFile =
  | { kind: 'link'; link: string; fileType: string }
  | { kind: 'stored'; blobKey: string; name: string; fileType: string; size: number; sha256: string }

/** A file to attach whose bytes are not stored yet. */
export type Upload =
  | { kind: 'link'; link: string; fileType: string }
  | { kind: 'part'; name: string; declaredType: string; staged: StagedBlob }

/**
 * The input of a handler: validated parameters and members, with the uploads stored as `files`, and the file part of a
 * photo as `photoPart`, and that of a file to read as `filePart`.
 */
export type HandlerInput<N extends OperationName> = Omit<InputWithIds<N>, UploadsMember | FileIn<N>> &
  (UploadsMember extends keyof Input<N> ? { files: NewFile[] } : unknown) &
  (PhotoMember extends keyof Input<N> ? { photoPart?: StagedBlob } : unknown) &
  ([FileIn<N>] extends [never] ? unknown : { filePart: ReceivedFile })

/** The input of a preparation. Its uploads are not stored. */
export type PreparationInput<N extends OperationName> = UploadsMember extends keyof Input<N>
  ? Omit<HandlerInput<N>, 'files'> & { uploads: readonly Upload[] }
  : HandlerInput<N>

/** The file that a body has; a parameter may have the same name. */
type FileIn<N extends OperationName> = Operations[N] extends { body: { properties: Record<FileMember, unknown> } }
  ? FileMember
  : never

/** A file part, received and staged. */
export interface ReceivedFile {
  /** The client's file name; `''` if absent. */
  name: string
  staged: StagedBlob
}

/** Stores bytes under a key, which are removed again if the write fails. */
export type StoreBlob = (key: string, bytes: Buffer) => Promise<void>

/**
 * A response with a file or an image. Its size is read, and its content opened, only if the client has no current copy.
 */
export interface ByteResponse {
  fileType: string
  size(): Promise<number>
  /**
   * Checks that the stored bytes are as long as `size`, for a response without a body; `open` checks that as well. Absent
   * if the bytes are in memory.
   * @throws DamagedBlob
   */
  verify?(): Promise<void>
  /** Hash of the content, for `ETag`. */
  sha256: string
  /** For anyone, or `privateNoCache`. */
  cacheControl: string
  /** The file name of an attachment; absent for content that is safe to display inline. */
  attachment?: string
  /** The damaged blob that this response replaces, to be reported. */
  damaged?: DamagedBlob
  /** @returns exactly as many bytes as given by `size` and the range, or a stream that fails @throws DamagedBlob */
  open(range?: ByteRange): Promise<Readable | Buffer>
}

/** A file that is created while it is sent. */
export interface Download {
  fileType: string
  /** Its file name. */
  attachment: string
  /** @param onDamaged called for stored bytes that are missing in it */
  open(onDamaged: (damaged: DamagedBlob) => void): Readable
}

type ScopeOf<N extends OperationName> = Operations[N]['method'] extends 'GET'
  ? Operations[N]['access'] extends ReadAccess
    ? Scope
    : PersonalScope
  : RequestScope

/** A write that returns a failure, rather than throwing it, is stored: a wrong code counts as a try. */
type StoredFailure<N extends OperationName> = Operations[N]['method'] extends 'GET' ? never : Failure

export type JsonHandler<N extends JsonOperationName> = (
  scope: ScopeOf<N>,
  input: HandlerInput<N>,
) => Promise<Data<N> | StoredFailure<N>>

/**
 * A handler with work that is no query: it comes before the transaction, and returns what to do in it. One that writes
 * nothing returns the data instead: then there is no transaction, and a retry with the same key is executed again.
 */
export interface PreparedHandler<N extends JsonOperationName> {
  prepare(
    scope: PreparationScope,
    input: PreparationInput<N>,
    storeBlob: StoreBlob,
  ): Promise<Data<N> | ((scope: RequestScope) => Promise<Data<N> | StoredFailure<N>>)>
}

/** The operations whose responses are cached: all JSON reads but those about the sender, and those that opt out. */
export type CachedOperationName = {
  [N in JsonOperationName]: Operations[N] extends { uncached: true }
    ? never
    : Operations[N]['access'] extends ReadAccess
      ? N
      : never
}[JsonOperationName]

/**
 * A part of the data that a response depends on. `topics` covers all topics with their comments, likes and files,
 * `topic 7` one of them, and `order of topics` which topics exist. `drafts` covers what only editors see of events, `program`
 * all else of the program. `credentials` covers all of them, `credential 7` one.
 */
export type Dependency =
  | 'topics'
  | 'order of topics'
  | `topic ${number | string}`
  | 'program'
  | 'drafts'
  | 'feedback'
  | 'participants'
  | 'credentials'
  | `credential ${number}`
  | 'media key'

/** A handler of a read whose responses are cached until something that they depend on changes. */
export interface CachedHandler<N extends CachedOperationName> {
  read(scope: Scope, input: HandlerInput<N>): Promise<Data<N>>
  /**
   * The dependencies of a response: an upper bound from its input alone, exact once `data` is given. Authors are
   * participants. `cache-consistency.test.ts` verifies that nothing is missing.
   */
  dependsOn(input: HandlerInput<N>, data?: Data<N>): Dependency[]
}

/**
 * A handler of a read whose records are for their authors and for organizers. What organizers get is cached for all of
 * them, what an author gets for nobody.
 */
export interface AuthorsHandler<N extends CachedOperationName> extends CachedHandler<N> {
  /** Reads the records of the sender only. */
  readOwn(scope: PersonalScope, input: HandlerInput<N>): Promise<Data<N>>
}

/** The reads that accept the input of a write, and return data of the same type. */
type SimilarRead<N extends JsonWriteName> = {
  [R in CachedOperationName]: HandlerInput<N> extends HandlerInput<R> ? (Data<N> extends Data<R> ? R : never) : never
}[CachedOperationName]

/**
 * A handler of a write that returns a whole record, including what other participants have added to it. The responses of
 * all other writes are bounded by the limits of one request.
 */
export interface ReplayedHandler<N extends JsonWriteName> {
  write: JsonHandler<N>
  /** Reads the data again for a retry, since they may be too long to be stored. */
  replayRead(scope: Scope, input: HandlerInput<N>): Promise<Data<N>>
}

export type BytesHandler<N extends BytesOperationName> = (
  scope: ScopeOf<N>,
  input: HandlerInput<N>,
) => Promise<Operations[N] extends { access: ReadAccess } | { ofRecords: true } ? ByteResponse : Download>

/** The handlers of the given operations. */
export type Handlers<N extends keyof Operations> = {
  [K in N]: K extends JsonWriteName
    ? [SimilarRead<K>] extends [never]
      ? JsonHandler<K> | PreparedHandler<K>
      : ReplayedHandler<K>
    : K extends CachedOperationName
      ? Operations[K]['access'] extends { readers: 'authors' }
        ? AuthorsHandler<K>
        : CachedHandler<K>
      : K extends JsonOperationName
        ? JsonHandler<K>
        : K extends BytesOperationName
          ? BytesHandler<K>
          : never
}

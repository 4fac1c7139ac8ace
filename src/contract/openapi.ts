import type { TObject, TSchema } from 'typebox'
import { type AccessMode, hasWriteBudget, identifiesSender, isForAnyone } from './access.ts'
import { LoggedChange } from './audit.ts'
import { Clash, Draft, DraftConference, DraftEvent, DraftRooms, DraftSpeaker, DraftTracks } from './editing.ts'
import { DeletedEnvelope, FailureEnvelope, Problem, responseCodes, SuccessEnvelope } from './envelope.ts'
import { type FailureReason, failures } from './failures.ts'
import { FeedAuthor, FeedFile, Post, PostComment } from './feed.ts'
import { Feedback } from './feedback.ts'
import { ImportedImage } from './image-imports.ts'
import { ImportPlan, PlannedPart, PlannedSession, Remark } from './imports.ts'
import { operationsIn } from './index.ts'
import { type Limits, withLimits } from './limits.ts'
import { Credential, Me } from './me.ts'
import { Comment, Topic, TopicComment } from './newsfeed.ts'
import { headerReferences, headers } from './openapi-headers.ts'
import {
  accessFails,
  accessWriteFails,
  anyOperationFails,
  bodyFails,
  budgetFails,
  isMedia,
  isRevalidated,
  type Operation,
  successCodeOf,
  tags,
  writeFails,
} from './operation.ts'
import { Invitation, Organizer } from './organizers.ts'
import { Overview } from './overview.ts'
import { Participant, ParticipantDetails, ParticipantProfile } from './participants.ts'
import { Passkey, PasskeyCreation, PasskeyRequest } from './passkeys.ts'
import { Event, EventDetails, ProgramDay } from './program.ts'
import { Author, UploadedFile } from './records.ts'
import { PlannedUndo, Release, ReleasedEvent, Revision } from './revisions.ts'
import {
  Conference,
  Room,
  Schedule,
  ScheduleDay,
  ScheduleEvent,
  ScheduleEventDetails,
  Speaker,
  Track,
} from './schedule.ts'
import { acceptsFiles, fileMember, linkExample, partOf, photoMember, Uploads, uploadsMember } from './uploads.ts'

/** Schemas with a name in the document. All others are inlined. */
const named: Record<string, TSchema> = {
  Author,
  UploadedFile,
  Uploads,
  Topic,
  TopicComment,
  Comment,
  Post,
  PostComment,
  FeedAuthor,
  FeedFile,
  Event,
  EventDetails,
  ProgramDay,
  Schedule,
  Conference,
  ScheduleDay,
  Room,
  Track,
  Speaker,
  ScheduleEvent,
  ScheduleEventDetails,
  Release,
  ReleasedEvent,
  Feedback,
  Participant,
  ParticipantDetails,
  ParticipantProfile,
  FailureEnvelope,
  Problem,
  Me,
  Credential,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  Draft,
  DraftConference,
  DraftRooms,
  DraftTracks,
  DraftEvent,
  DraftSpeaker,
  Clash,
  Revision,
  PlannedUndo,
  ImportPlan,
  PlannedSession,
  PlannedPart,
  Remark,
  ImportedImage,
  Overview,
  Organizer,
  Invitation,
  LoggedChange,
}

interface DocumentOptions {
  /** The limits of this server. */
  limits: Limits
  /** The version of the program. */
  version: string
  /** The base URL of the service; `/` is the origin of the document. */
  serverUrl: string
  access: AccessMode
}

/** The contract as an OpenAPI 3.1 document. */
export function openApi({ limits, version, serverUrl, access }: DocumentOptions): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, operation] of operationsIn(access)) {
    const described = { [operation.method.toLowerCase()]: describe(name, operation, limits, access) }
    paths[operation.path] = { ...paths[operation.path], ...described }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Summit',
      version,
      summary: 'The back end of a conference app.',
      description:
        'Every JSON response has status 200 and is an array of one envelope, whose `response_code` gives the outcome: ' +
        '1000 success, 2000 deleted, 4000 and above a failure. Ids are sent as integers and returned as strings. ' +
        'A client whose `Accept` prefers `application/problem+json` gets failures as RFC 9457 with their true status.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This server.' }],
    security: [],
    tags: [...new Set(operationsIn(access).map(([, { tag }]) => tag))].map((name) => ({
      name,
      description: tags[name],
    })),
    paths,
    components: {
      headers,
      securitySchemes: { bearer, session, ...(access === 'members' && { mediaKey }) },
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, withoutOwnName(schema)])),
    },
  }
}

const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'The key of a participant or organizer, or the session of an app.',
}
const session = { type: 'apiKey', in: 'cookie', name: '__Host-summit', description: 'A session of a browser.' }
const signedIn = [{ bearer: [] }, { session: [] }]

const mediaKey = {
  type: 'apiKey',
  in: 'query',
  name: 'key',
  description: 'Part of the links to images and files in responses.',
}

/** An operation for anyone still accepts a key. */
function securityOf(operation: Operation, mode: AccessMode): object {
  if (!identifiesSender(operation.access, mode)) return {}
  if (isForAnyone(operation.access, mode)) return { security: [{}, ...signedIn] }
  return { security: [...signedIn, ...(isMedia(operation) ? [{ mediaKey: [] }] : [])] }
}

function describe(name: string, operation: Operation, limits: Limits, access: AccessMode): object {
  const params = [...parametersIn('path', operation.params), ...parametersIn('query', operation.query)]
  const accepted = withOptionalActor(operation, access)
  const parameters = operation.method === 'GET' ? params : [...params, idempotencyKeyOf(operation)]
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...securityOf(operation, access),
    ...(parameters.length > 0 && { parameters }),
    ...(accepted.body && { requestBody: requestBody(accepted, withLimits(accepted.body, limits)) }),
    responses: {
      ...(operation.data ? { '200': success(operation, operation.data, access) } : bytesOf(operation)),
      '4XX': problem,
      '5XX': problem,
    },
    'x-failures': failuresOf(operation, access),
  }
}

const parametersIn = (location: 'path' | 'query', members: TObject | undefined): object[] =>
  Object.entries(members?.properties ?? {}).map(([name, schema]) => {
    const { description, examples, ...rest }: ParameterSchema = { ...schema }
    const required = members?.required?.includes(name) ?? false
    // Swagger UI fills in the example of a parameter, not those of its schema. What to filter by is for the reader to say.
    const [example] = required ? (examples ?? []) : []
    const shown = !required && examples ? { ...rest, examples } : rest
    return {
      ...{ name, in: location, required, description },
      ...(example !== undefined && { example }),
      schema: toReferences(shown),
    }
  })

interface ParameterSchema {
  description?: string
  examples?: unknown[]
}

const idempotencyKeyOf = (operation: Operation) => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: describeRetry(operation),
  schema: { type: 'string', minLength: 1, maxLength: 255 },
})

function describeRetry({ access, secret }: Operation): string {
  if ('signIn' in access)
    return (
      'Responses of a sign-in are not stored. A sign-in with an invitation, a code or a passkey that is repeated with ' +
      'the same key, from the same browser and within a minute, starts a new session and ends the first one.'
    )
  const repeated =
    'A request that is repeated with the same key within 24 hours gets the same response and changes nothing.'
  return secret === undefined ? repeated : `${repeated} In that response, \`${secret}\` is empty.`
}

/** A participant who writes may leave out who they are. */
function withOptionalActor(operation: Operation, mode: AccessMode): Operation {
  const { access, body, anyOf, ...rest } = operation
  if (mode === 'open' || !body || !('actor' in access)) return operation
  const isActor = (name: string) => access.actor?.includes(name) ?? false
  const required: string[] = (body.required ?? []).filter((name) => !isActor(name))
  return { ...rest, access, body: { ...body, required } as TObject, ...(anyOf && !anyOf.some(isActor) && { anyOf }) }
}

/** All failures of an operation. */
export function failuresOf(operation: Operation, access: AccessMode): FailureReason[] {
  const isWrite = operation.method !== 'GET'
  const isIdentified = identifiesSender(operation.access, access)
  return [
    ...operation.fails,
    ...anyOperationFails,
    ...(isIdentified ? accessFails : []),
    ...(isIdentified && isWrite ? accessWriteFails : []),
    ...(access !== 'open' && isWrite && hasWriteBudget(operation.access) ? budgetFails : []),
    ...(operation.body ? bodyFails : []),
    ...(isWrite ? writeFails : []),
  ]
}

/** The three encodings are equivalent; multipart also allows file parts, and some operations need one. */
function requestBody(operation: Operation, members: TObject): object {
  const { anyOf } = operation
  const body = anyOf ? { ...members, anyOf: anyOf.map((name) => ({ required: [name] })) } : members
  const schema = toReferences(body)
  const withMember = (member: string, part: object) =>
    toReferences({ ...body, properties: { ...body.properties, [member]: part } })
  const takesFiles = acceptsFiles(operation)
  if (partOf(operation) === fileMember) {
    const required = [...(body.required ?? []), fileMember]
    return { required: true, content: { 'multipart/form-data': { schema: toReferences({ ...body, required }) } } }
  }
  const withParts = partOf(operation) === photoMember ? withMember(photoMember, photoPart) : schema
  return {
    required: true,
    content: {
      'application/json': { schema },
      'multipart/form-data': { schema: takesFiles ? withMember(uploadsMember, fileParts) : withParts },
      'application/x-www-form-urlencoded': { schema: takesFiles ? withMember(uploadsMember, links) : schema },
    },
  }
}

// Swagger UI has one field for each element of an example, and cannot fill in a file.
const fileParts = {
  type: 'array',
  description: 'File parts; links and data: URIs are accepted as text fields.',
  items: { type: 'string', format: 'binary' },
  examples: [[]],
}

const photoPart = {
  type: 'string',
  format: 'binary',
  description: 'A file part; a text field is accepted, too, as in the other media types.',
  examples: [''],
}

const links = {
  type: 'array',
  description: 'http(s) links and data: URIs.',
  items: { type: 'string' },
  examples: [[linkExample]],
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const binary = { schema: { type: 'string', format: 'binary' } }

/** The responses of an operation that returns bytes (RFC 9110). */
const bytes = {
  '200': {
    description: 'The bytes, or the envelope of a failure.',
    headers: headerReferences('Request-Id', 'Retry-After', 'ETag'),
    content: { '*/*': binary, 'application/json': { schema: reference('FailureEnvelope') } },
  },
  '206': {
    description: 'The bytes of the requested range.',
    headers: headerReferences('Request-Id', 'ETag', 'Content-Range'),
    content: { '*/*': binary },
  },
  '304': {
    description: 'The bytes still match an `ETag` in `If-None-Match`.',
    headers: headerReferences('Request-Id', 'ETag'),
  },
  '416': {
    description: 'The requested range is beyond the last byte.',
    headers: headerReferences('Request-Id', 'ETag', 'Content-Range'),
  },
}

const download = {
  '200': {
    description: 'The file, or the envelope of a failure. Its size is not known in advance.',
    headers: headerReferences('Request-Id', 'Retry-After'),
    content: { '*/*': binary, 'application/json': { schema: reference('FailureEnvelope') } },
  },
}

const bytesOf = (operation: Operation) => (isRevalidated(operation) ? bytes : download)

function success(operation: Operation, data: TObject, access: AccessMode): object {
  const isDelete = successCodeOf(operation) === responseCodes.deleted
  const envelope = isDelete ? DeletedEnvelope(data) : SuccessEnvelope(data)
  const codes = [...new Set(failuresOf(operation, access).map((reason) => failures[reason].code))].sort()
  return {
    description: `The envelope. A failure has the same status, and one of these codes: ${codes.join(', ')}.`,
    headers: headerReferences(
      'Request-Id',
      'Retry-After',
      ...(operation.method === 'GET' ? [] : (['Idempotency-Replayed'] as const)),
    ),
    content: {
      'application/json': { schema: { anyOf: [toReferences(envelope), reference('FailureEnvelope')] } },
    },
  }
}

const problem = {
  description: 'A failure, for a client that prefers `application/problem+json`.',
  headers: headerReferences('Request-Id', 'Retry-After'),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** Names by content: TypeBox copies a schema into the schemas that contain it. */
const names = new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]))

function toReferences(schema: unknown): unknown {
  const name = names.get(JSON.stringify(schema))
  return name === undefined ? withoutOwnName(schema) : reference(name)
}

/** The same JSON with references to named schemas, without the keywords that only our validation reads. */
function withoutOwnName(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([key, value]) => !isPrivate(key, value))
  return Object.fromEntries(members.map(([key, value]) => [key, toReferences(value)]))
}

/** Formats that no tool knows. */
const privateFormats = new Set(['text', 'photo', 'local-time', 'local-day', 'zone', 'color', 'link'])

/** Requests may have unknown members; only the tests apply `additionalProperties: false`, to responses. */
const isPrivate = (key: string, value: unknown): boolean =>
  key.startsWith('x-') || (key === 'format' && privateFormats.has(String(value))) || key === 'additionalProperties'

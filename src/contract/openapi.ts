import type { TObject, TSchema } from 'typebox'
import { DeletedEnvelope, FailureEnvelope, Problem, SuccessEnvelope } from './envelope.ts'
import { type FailureReason, failures } from './failures.ts'
import { Feedback } from './feedback.ts'
import { operations } from './index.ts'
import type { Limits } from './limits.ts'
import { Comment, Topic, TopicComment } from './newsfeed.ts'
import { anyOperationFails, bodyFails, type Operation, writeFails } from './operation.ts'
import { Participant, ParticipantDetails } from './participants.ts'
import { Event, EventDetails, ProgramDay } from './program.ts'
import { Author, UploadedFile, Uploads } from './records.ts'
import { withLimits } from './with-limits.ts'

/** The schemas that get a name of their own in the document; every other is written where it is used. */
const named: Record<string, TSchema> = {
  Author,
  UploadedFile,
  Uploads,
  Topic,
  TopicComment,
  Comment,
  Event,
  EventDetails,
  ProgramDay,
  Feedback,
  Participant,
  ParticipantDetails,
  FailureEnvelope,
  Problem,
}

const tags: Record<Operation['tag'], string> = {
  'News feed': 'Topics, their comments and their likes.',
  Files: 'Files attached to topics and comments.',
  Program: 'Events with their days, details, banners and photos.',
  Feedback: 'What participants say.',
  Participants: 'Who takes part.',
}

/**
 * The contract as an OpenAPI 3.1 document.
 * @param limits those that this server applies
 * @param version of the program
 * @param serverUrl where the service is; `/` is where the document came from
 */
export function openApi(limits: Limits, version: string, serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, operation] of Object.entries(operations) as [string, Operation][]) {
    const described = { [operation.method.toLowerCase()]: describe(name, operation, limits) }
    paths[operation.path] = { ...paths[operation.path], ...described }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Summit',
      version,
      summary: 'The back end of a conference app.',
      description:
        'Every JSON answer has status 200 and is an array of one envelope, whose `response_code` says how it went: ' +
        '1000 success, 2000 deleted, 4000 and above a failure. Ids are sent as integers and returned as strings. ' +
        'A client whose `Accept` prefers `application/problem+json` gets failures as RFC 9457 with their true status.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This server.' }],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, withoutOwnName(schema)])),
    },
  }
}

function describe(name: string, operation: Operation, limits: Limits): object {
  const params = Object.entries(operation.params.properties).map(([param, schema]) => {
    const { description, ...rest } = { description: undefined, ...schema }
    return { name: param, in: 'path', required: true, description, schema: toReferences(rest) }
  })
  const parameters = operation.method === 'GET' ? params : [...params, idempotencyKey]
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBody(withLimits(operation.body, limits)) }),
    responses: { '200': success(operation), '4XX': problem, '5XX': problem },
    'x-failures': failuresOf(operation),
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Repeating a request with its key within 24 hours repeats the answer and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** Every reason with which an operation can fail. */
export function failuresOf(operation: Operation): FailureReason[] {
  const isWrite = operation.method !== 'GET'
  return [
    ...operation.fails,
    ...anyOperationFails,
    ...(operation.body ? bodyFails : []),
    ...(isWrite ? writeFails : []),
  ]
}

/** The three encodings mean the same; in multipart, files may also come as parts. */
function requestBody(body: TObject): object {
  const schema = toReferences(body)
  const asParts = 'uploaded_files' in body.properties ? withFileParts(body) : schema
  return {
    required: true,
    content: {
      'application/json': { schema },
      'multipart/form-data': { schema: asParts },
      'application/x-www-form-urlencoded': { schema },
    },
  }
}

const withFileParts = (body: TObject): unknown =>
  toReferences({
    ...body,
    properties: {
      ...body.properties,
      uploaded_files: {
        type: 'array',
        description: 'File parts; links and data: URIs as text fields are taken as well.',
        items: { type: 'string', format: 'binary' },
      },
    },
  })

function success(operation: Operation): object {
  if (!operation.data)
    return {
      description: 'The bytes, or an envelope that says why there are none.',
      content: {
        '*/*': { schema: { type: 'string', format: 'binary' } },
        'application/json': { schema: reference('FailureEnvelope') },
      },
    }
  const envelope = operation.method === 'DELETE' ? DeletedEnvelope(operation.data) : SuccessEnvelope(operation.data)
  const codes = [...new Set(failuresOf(operation).map((reason) => failures[reason].code))].sort()
  return {
    description: `The envelope. Failures are answered with this status, too; their codes: ${codes.join(', ')}.`,
    content: {
      'application/json': { schema: { anyOf: [toReferences(envelope), reference('FailureEnvelope')] } },
    },
  }
}

const problem = {
  description: 'A failure, for a client that prefers `application/problem+json`.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Names by content: TypeBox copies a schema into those that hold it. */
const names = new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]))

function toReferences(schema: unknown): unknown {
  const name = names.get(JSON.stringify(schema))
  return name === undefined ? withoutOwnName(schema) : reference(name)
}

/** The same JSON, with references in the place of named schemas, and without what is only for our validation. */
function withoutOwnName(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([key, value]) => !isPrivate(key, value))
  return Object.fromEntries(members.map(([key, value]) => [key, toReferences(value)]))
}

/** Requests may hold unknown members, so `additionalProperties: false` is said of answers only by the tests. */
const isPrivate = (key: string, value: unknown): boolean =>
  key.startsWith('x-') ||
  (key === 'format' && (value === 'text' || value === 'photo')) ||
  key === 'additionalProperties'

import { hash } from 'node:crypto'
import type { TObject } from 'typebox'
import { type OperationName, operations, operationsIn, type SpecifiedOperationName } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { inOwnName } from '../access/at-personal-address.ts'

export type Members = Record<string, unknown>

export interface Example {
  params?: Record<string, string | number>
  body?: Members
}

export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
export const pixelHash = hash('sha256', Buffer.from(pixel, 'base64'))

const uploaded_files = [
  'https://cdn.summit.example/slides.pdf',
  { link: 'https://cdn.summit.example/plan', fileType: 'image/svg+xml' },
  `data:image/png;base64,${pixel}`,
  { name: 'notes.txt', fileType: 'text/plain', data: Buffer.from('Grüße').toString('base64') },
]
const page = { offset: 0, limit: 10 }

const byAnyone: Record<SpecifiedOperationName, Example> = {
  listTopics: { params: page },
  createTopic: { body: { name: 'Lunch 🍲 is served', body: 'Main\nhall & "more"', created_by: 1, uploaded_files } },
  getTopic: { params: { topic_id: 1 } },
  updateTopic: {
    params: { topic_id: 1 },
    body: { name: 'Lunch is late', body: '', created_by: 7, updated_by: 2, uploaded_files },
  },
  deleteTopic: { params: { topic_id: 1 } },
  likeTopic: { params: { topic_id: 1 }, body: { created_by: 2 } },
  unlikeTopic: { params: { topic_id: 1, participant_id: 1 } },
  listComments: { params: { topic_id: 1, ...page } },
  createComment: { params: { topic_id: 1 }, body: { comment: '+1 = 100%', created_by: 404, uploaded_files } },
  getComment: { params: { comment_id: 1 } },
  updateComment: {
    params: { comment_id: 1 },
    body: { comment: 'Nächstes Mal', created_by: 7, updated_by: 2, uploaded_files },
  },
  deleteComment: { params: { comment_id: 1 } },
  readFile: { params: { file_id: 1, file_name: 'pixel.png' } },
  deleteFile: { params: { file_Id: 1 } },
  listEvents: { params: page },
  getEvent: { params: { id: 1 } },
  readBanner: { params: { id: 1 } },
  readPhoto: { params: { id: 1 } },
  readParticipantPhoto: { params: { participantId: 2, file_name: `${pixelHash}.png` } },
  listFeedback: { params: page },
  listFeedbackOfParticipant: { params: { ...page, participant_id: 1 } },
  addFeedback: {
    body: {
      ...{ created_by: 1, participant_id: 2, program_id: 99, comments: 'Loved it.\r\nAll of it.' },
      ...{ quality: '5', rating: 'four', relevance: '', expectation: '★' },
    },
  },
  listParticipants: { params: page },
  updateParticipant: {
    params: { participantId: 1 },
    body: {
      ...{ employee_no: 'E7', designation: '', email: 'ana@summit.example', first_name: 'Ána', last_name: 'Cruz' },
      ...{ photo: 'photos/ana 1.jpg', mobile_no: '+63 917', gender: 'F' },
    },
  },
}

/** A valid request to each operation, for the records that `startExampleApp` creates. */
export const examples = Object.fromEntries(
  Object.entries(byAnyone).map(([name, members]) => [
    name,
    Object.fromEntries(
      Object.entries(members).map(([place, some]) => [place, inOwnName(name as SpecifiedOperationName, some)]),
    ),
  ]),
) as typeof byAnyone

export const names = operationsIn('open').map(([name]) => name as SpecifiedOperationName)
export const operationOf = (name: OperationName): Operation => operations[name]
export const reads = names.filter((name) => operationOf(name).method === 'GET')
export const writes = names.filter((name) => operationOf(name).method !== 'GET')
export const withBody = names.filter((name) => operationOf(name).body)

/** In an order in which each record still exists: comments and files before their topic. */
export const deletes = writes.filter((name) => operationOf(name).method === 'DELETE').reverse()

/** The schema of each member. */
export const schemasOf = (schema: TObject | undefined): Record<string, Members> =>
  Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, member]) => [name, { ...member }]))

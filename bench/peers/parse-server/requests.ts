import type { Request } from '../../workload.ts'
import { type Operation, participantFields, prefixFields } from '../operation.ts'
import { mountPath, pointer } from './classes.ts'

/** The class, order and fields of each list. Ids and creation dates are always included. */
const lists = {
  topics: {
    className: 'Topic',
    order: '-createdAt',
    keys: [
      ...['header', 'body', 'files'],
      ...prefixFields('created_by', participantFields),
      ...prefixFields('likes', participantFields),
      'comments.comment',
      ...prefixFields('comments.created_by', participantFields),
    ],
  },
  participants: {
    className: 'Participant',
    order: 'createdAt',
    keys: [...participantFields, 'employee_no', 'email', 'mobile_no', 'gender'],
  },
  events: {
    className: 'Event',
    order: 'date_from',
    keys: ['title', 'date_from', 'date_to', 'location_name', 'location_address', 'program'],
  },
  feedback: {
    className: 'Feedback',
    order: '-createdAt',
    keys: ['comments', ...prefixFields('participant', participantFields)],
  },
}

const get = (path: string): Request => ({ method: 'GET', path: `${mountPath}/classes/${path}` })

const createObject = (className: string, object: object): Request => ({
  method: 'POST',
  path: `${mountPath}/classes/${className}`,
  body: JSON.stringify(object),
})

/** The request to Parse Server for an operation. A key with a dot includes the object that it refers to. */
export function parseServerRequest(operation: Operation): Request {
  switch (operation.kind) {
    case 'list': {
      const { className, order, keys } = lists[operation.resource]
      return get(`${className}?keys=${keys}&order=${order}&skip=${operation.offset}&limit=${operation.limit}`)
    }
    case 'get topic':
      return get(`Topic/${operation.id}?keys=${lists.topics.keys}`)
    case 'create comment': {
      const { comment, created_by } = operation.body
      const topic = pointer('Topic', operation.topicId)
      return createObject('Comment', { comment, created_by: pointer('Participant', created_by), topic })
    }
    case 'create topic': {
      const { name: header, body, created_by } = operation.body
      return createObject('Topic', { header, body, created_by: pointer('Participant', created_by) })
    }
    case 'add feedback': {
      const { participant_id, rating, comments, program_id } = operation.body
      const participant = pointer('Participant', participant_id)
      return createObject('Feedback', { participant, rating, comments, event: pointer('Event', program_id) })
    }
  }
}

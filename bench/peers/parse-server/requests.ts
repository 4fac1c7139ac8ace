import type { Request } from '../../workload.ts'
import { type Asked, fieldsOf, participantFields } from '../asked.ts'
import { mountPath, pointer } from './classes.ts'

/** What is listed of each class, and in which order. Ids, and when a thing was made, come unasked. */
const listed = {
  topics: {
    className: 'Topic',
    order: '-createdAt',
    keys: [
      ...['header', 'body', 'files'],
      ...fieldsOf('created_by', participantFields),
      ...fieldsOf('likes', participantFields),
      'comments.comment',
      ...fieldsOf('comments.created_by', participantFields),
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
    keys: ['comments', ...fieldsOf('participant', participantFields)],
  },
}

const get = (path: string): Request => ({ method: 'GET', path: `${mountPath}/classes/${path}` })

const add = (className: string, object: object): Request => ({
  method: 'POST',
  path: `${mountPath}/classes/${className}`,
  body: JSON.stringify(object),
})

/** What Parse Server is to be asked for. What a key with a dot refers to is included. */
export function forParseServer(asked: Asked): Request {
  switch (asked.what) {
    case 'page': {
      const { className, order, keys } = listed[asked.of]
      return get(`${className}?keys=${keys}&order=${order}&skip=${asked.offset}&limit=${asked.limit}`)
    }
    case 'topic':
      return get(`Topic/${asked.id}?keys=${listed.topics.keys}`)
    case 'new comment': {
      const { comment, created_by } = asked.given
      const topic = pointer('Topic', asked.topic)
      return add('Comment', { comment, created_by: pointer('Participant', created_by), topic })
    }
    case 'new topic': {
      const { name: header, body, created_by } = asked.given
      return add('Topic', { header, body, created_by: pointer('Participant', created_by) })
    }
    case 'new feedback': {
      const { participant_id, rating, comments, program_id } = asked.given
      const participant = pointer('Participant', participant_id)
      return add('Feedback', { participant, rating, comments, event: pointer('Event', program_id) })
    }
  }
}

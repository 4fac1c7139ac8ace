import type { Request } from '../../workload.ts'
import { type Asked, fieldsOf, participantFields } from '../asked.ts'

/** What is listed of each collection, and in which order. */
const listed = {
  topics: {
    collection: 'topic',
    sort: '-id',
    fields: [
      ...['id', 'header', 'body', 'created_at'],
      ...fieldsOf('created_by', ['id', ...participantFields]),
      ...fieldsOf('files', ['id', 'link', 'file_type']),
      ...fieldsOf('likes.participant_id', ['id', ...participantFields]),
      ...fieldsOf('comments', ['id', 'comment', 'created_at']),
      ...fieldsOf('comments.created_by', ['id', ...participantFields]),
    ],
  },
  participants: {
    collection: 'participant',
    sort: 'id',
    fields: ['id', ...participantFields, 'employee_no', 'email', 'mobile_no', 'gender'],
  },
  events: {
    collection: 'event',
    sort: 'date_from,id',
    fields: [
      ...['id', 'title', 'date_from', 'date_to', 'location_name', 'location_address'],
      ...fieldsOf('activities', ['date', 'time', 'title']),
    ],
  },
  feedback: {
    collection: 'feedback',
    sort: '-id',
    fields: ['id', 'comments', 'created_at', ...fieldsOf('participant_id', ['id', ...participantFields])],
  },
}

const add = (collection: string, item: object): Request => ({
  method: 'POST',
  path: `/items/${collection}`,
  body: JSON.stringify({ ...item, created_at: '2024-06-01 12:00:00' }),
})

/** What Directus is to be asked for. */
export function forDirectus(asked: Asked): Request {
  switch (asked.what) {
    case 'page': {
      const { collection, sort, fields } = listed[asked.of]
      const page = `sort=${sort}&offset=${asked.offset}&limit=${asked.limit}`
      return { method: 'GET', path: `/items/${collection}?fields=${fields}&${page}` }
    }
    case 'topic':
      return { method: 'GET', path: `/items/topic/${asked.id}?fields=${listed.topics.fields}` }
    case 'new comment':
      return add('comment', { ...asked.given, topic_id: asked.topic })
    case 'new topic': {
      const { name: header, body, created_by } = asked.given
      return add('topic', { header, body, created_by })
    }
    case 'new feedback':
      return add('feedback', asked.given)
  }
}

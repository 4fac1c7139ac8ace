import type { Request } from '../../workload.ts'
import { type Operation, participantFields, prefixFields } from '../operation.ts'

/** The collection, order and fields of each list. */
const lists = {
  topics: {
    collection: 'topic',
    sort: '-id',
    fields: [
      ...['id', 'header', 'body', 'created_at'],
      ...prefixFields('created_by', ['id', ...participantFields]),
      ...prefixFields('files', ['id', 'link', 'file_type']),
      ...prefixFields('likes.participant_id', ['id', ...participantFields]),
      ...prefixFields('comments', ['id', 'comment', 'created_at']),
      ...prefixFields('comments.created_by', ['id', ...participantFields]),
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
      ...prefixFields('activities', ['date', 'time', 'title']),
    ],
  },
  feedback: {
    collection: 'feedback',
    sort: '-id',
    fields: ['id', 'comments', 'created_at', ...prefixFields('participant_id', ['id', ...participantFields])],
  },
}

const createItem = (collection: string, item: object): Request => ({
  method: 'POST',
  path: `/items/${collection}`,
  body: JSON.stringify({ ...item, created_at: '2024-06-01 12:00:00' }),
})

/** The request to Directus for an operation. */
export function directusRequest(operation: Operation): Request {
  switch (operation.kind) {
    case 'list': {
      const { collection, sort, fields } = lists[operation.resource]
      const query = `sort=${sort}&offset=${operation.offset}&limit=${operation.limit}`
      return { method: 'GET', path: `/items/${collection}?fields=${fields}&${query}` }
    }
    case 'get topic':
      return { method: 'GET', path: `/items/topic/${operation.id}?fields=${lists.topics.fields}` }
    case 'create comment':
      return createItem('comment', { ...operation.body, topic_id: operation.topicId })
    case 'create topic': {
      const { name: header, body, created_by } = operation.body
      return createItem('topic', { header, body, created_by })
    }
    case 'add feedback':
      return createItem('feedback', operation.body)
  }
}

import { expect, test } from 'vitest'
import { directusRequest } from '../../bench/peers/directus/requests.ts'
import { parseOperation } from '../../bench/peers/operation.ts'
import { definitions } from '../../bench/peers/parse-server/classes.ts'
import { buildObjects } from '../../bench/peers/parse-server/objects.ts'
import { parseServerRequest } from '../../bench/peers/parse-server/requests.ts'
import { extractTexts } from '../../bench/peers/same-texts.ts'
import { cases, type Request } from '../../bench/workload.ts'

/** The requests and data for the other products. None of these tests needs the products themselves. */

const get = (path: string): Request => ({ method: 'GET', path })
const post = (path: string, body: object): Request => ({ method: 'POST', path, body: JSON.stringify(body) })

const feedPage = get('/api/newsfeeds/topics/9000/20')
const details = get('/api/newsfeeds/topics/5005/details')
const comment = post('/api/newsfeeds/topics/7/comments/create', { comment: 'On my way', created_by: 3 })
const topic = post('/api/newsfeeds/topics/create', { name: 'Lunch', body: 'is served', created_by: 3 })
const feedback = post('/api/feedback/add', { participant_id: 3, rating: '5', comments: 'Great', program_id: 9 })

test('every request of the compared cases has a counterpart in both products', () => {
  const compared = cases.filter(({ name }) => /^(R\d( cold)?|M|W\d)$/.test(name))
  expect(compared.map(({ name }) => name)).toHaveLength(16)
  for (const request of compared.flatMap(({ requests }) => requests)) {
    expect(directusRequest(parseOperation(request)).method).toBe(request.method)
    expect(parseServerRequest(parseOperation(request)).method).toBe(request.method)
  }
})

test('a request without a counterpart is refused', () => {
  expect(() => parseOperation(get('/api/program/banner/get/7'))).toThrow(
    'no counterpart of GET /api/program/banner/get/7',
  )
})

test.each([
  ['Directus', directusRequest, /^\/items\/topic\?fields=id,.*&sort=-id&offset=9000&limit=20$/],
  ['Parse Server', parseServerRequest, /^\/parse\/classes\/Topic\?keys=header,.*&order=-createdAt&skip=9000&limit=20$/],
])('the request to %s for a page of the feed asks for the newest topics first', (_, toRequest, path) => {
  expect(toRequest(parseOperation(feedPage)).path).toMatch(path)
})

test.each([
  ['Directus', directusRequest, '/items/topic/5005?', 'comments.created_by.full_name', 'likes.participant_id.photo'],
  ['Parse Server', parseServerRequest, '/parse/classes/Topic/5005?', 'comments.created_by.full_name', 'likes.photo'],
])('the request to %s for a topic includes its comments, their authors and its likes', (_, toRequest, ...parts) => {
  const { path } = toRequest(parseOperation(details))
  for (const part of parts) expect(path).toContain(part)
})

const participant = { __type: 'Pointer', className: 'Participant', objectId: '3' }

test.each([
  [comment, '/items/comment', { comment: 'On my way', created_by: 3, topic_id: 7 }],
  [topic, '/items/topic', { header: 'Lunch', body: 'is served', created_by: 3 }],
  [feedback, '/items/feedback', { participant_id: 3, rating: '5', comments: 'Great', program_id: 9 }],
])('a write becomes a Directus item with a creation date: %o', (request, path, item) => {
  const sent = directusRequest(parseOperation(request))
  expect(sent).toMatchObject({ method: 'POST', path })
  expect(JSON.parse(sent.body ?? '')).toEqual({ ...item, created_at: expect.any(String) })
})

test.each([
  [
    comment,
    'Comment',
    { comment: 'On my way', created_by: participant, topic: { ...participant, className: 'Topic', objectId: '7' } },
  ],
  [topic, 'Topic', { header: 'Lunch', body: 'is served', created_by: participant }],
  [
    feedback,
    'Feedback',
    { participant, rating: '5', comments: 'Great', event: { ...participant, className: 'Event', objectId: '9' } },
  ],
])('a write becomes a Parse Server object with pointers: %o', (request, className, object) => {
  const sent = parseServerRequest(parseOperation(request))
  expect(sent).toMatchObject({ method: 'POST', path: `/parse/classes/${className}` })
  expect(JSON.parse(sent.body ?? '')).toEqual(object)
})

test('the Parse Server objects contain the whole data set, in the fields of their classes', () => {
  const objects = buildObjects()
  const systemFields = ['objectId', 'createdAt', 'updatedAt']
  for (const { className, fields } of definitions)
    expect(Object.keys(objects[className][0] ?? {}).sort(), className).toEqual(
      [...systemFields, ...Object.keys(fields)].sort(),
    )
  const counts = Object.fromEntries(Object.entries(objects).map(([name, rows]) => [name, rows.length]))
  expect(counts).toEqual({ Participant: 1_000, Topic: 10_000, Comment: 30_000, Event: 300, Feedback: 20_000 })
  const pointers = ['15013', '15014', '15015'].map((objectId) => ({
    __type: 'Pointer',
    className: 'Comment',
    objectId,
  }))
  expect(objects.Topic[5004]).toMatchObject({ objectId: '5005', comments: pointers, files: [{ id: 1001 }] })
  expect(objects.Topic[5004]?.likes).toHaveLength(2)
})

test('responses of different structure are compared by their texts and links', () => {
  const summitResponse = {
    data: [{ id: '1', header: 'Lunch is served', photoUrl: 'https://a.example/1.jpg', at: '2024-01-01 08:00:00' }],
  }
  const peerResponse = {
    results: { objectId: 1, text: 'Lunch is served', author: [{ photo: 'https://a.example/1.jpg' }] },
  }
  expect(extractTexts(summitResponse)).toEqual(['Lunch is served', 'https://a.example/1.jpg'])
  expect(extractTexts(peerResponse)).toEqual(extractTexts(summitResponse))
})

import { expect, test } from 'vitest'
import { asked } from '../../bench/peers/asked.ts'
import { forDirectus } from '../../bench/peers/directus/requests.ts'
import { definitions } from '../../bench/peers/parse-server/classes.ts'
import { objects } from '../../bench/peers/parse-server/objects.ts'
import { forParseServer } from '../../bench/peers/parse-server/requests.ts'
import { textsIn } from '../../bench/peers/same-texts.ts'
import { cases, type Request } from '../../bench/workload.ts'

// The requests that a benchmark sends to other products. None of them needs to be installed.

const get = (path: string): Request => ({ method: 'GET', path })
const post = (path: string, body: object): Request => ({ method: 'POST', path, body: JSON.stringify(body) })

const feedPage = get('/api/newsfeeds/topics/9000/20')
const details = get('/api/newsfeeds/topics/5005/details')
const comment = post('/api/newsfeeds/topics/7/comments/create', { comment: 'On my way', created_by: 3 })
const topic = post('/api/newsfeeds/topics/create', { name: 'Lunch', body: 'is served', created_by: 3 })
const feedback = post('/api/feedback/add', { participant_id: 3, rating: '5', comments: 'Great', program_id: 9 })

test('both adapters translate every request of the cases that other products are measured with', () => {
  const measured = cases.filter(({ name }) => /^(R\d( cold)?|M|W\d)$/.test(name))
  expect(measured.map(({ name }) => name)).toHaveLength(16)
  for (const request of measured.flatMap(({ requests }) => requests)) {
    expect(forDirectus(asked(request)).method).toBe(request.method)
    expect(forParseServer(asked(request)).method).toBe(request.method)
  }
})

test('a request that other products have no equivalent for is refused by name', () => {
  expect(() => asked(get('/api/program/banner/get/7'))).toThrow('nothing like GET /api/program/banner/get/7')
})

test.each([
  ['Directus', forDirectus, /^\/items\/topic\?fields=id,.*&sort=-id&offset=9000&limit=20$/],
  ['Parse Server', forParseServer, /^\/parse\/classes\/Topic\?keys=header,.*&order=-createdAt&skip=9000&limit=20$/],
])('the request to %s for a page of the feed returns the newest topics first', (_, requestFor, path) => {
  expect(requestFor(asked(feedPage)).path).toMatch(path)
})

test.each([
  ['Directus', forDirectus, '/items/topic/5005?', 'comments.created_by.full_name', 'likes.participant_id.photo'],
  ['Parse Server', forParseServer, '/parse/classes/Topic/5005?', 'comments.created_by.full_name', 'likes.photo'],
])('the request to %s for a topic includes its comments, their authors and its likes', (_, requestFor, ...parts) => {
  const { path } = requestFor(asked(details))
  for (const part of parts) expect(path).toContain(part)
})

const participant = { __type: 'Pointer', className: 'Participant', objectId: '3' }

test.each([
  [comment, '/items/comment', { comment: 'On my way', created_by: 3, topic_id: 7 }],
  [topic, '/items/topic', { header: 'Lunch', body: 'is served', created_by: 3 }],
  [feedback, '/items/feedback', { participant_id: 3, rating: '5', comments: 'Great', program_id: 9 }],
])('the request to Directus contains the text of a participant, and the time: %o', (request, path, item) => {
  const sent = forDirectus(asked(request))
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
])(
  'the request to Parse Server contains the text of a participant, with pointers: %o',
  (request, className, object) => {
    const sent = forParseServer(asked(request))
    expect(sent).toMatchObject({ method: 'POST', path: `/parse/classes/${className}` })
    expect(JSON.parse(sent.body ?? '')).toEqual(object)
  },
)

test('the objects of Parse Server contain the data set in the fields of their classes', () => {
  const all = objects()
  const own = ['objectId', 'createdAt', 'updatedAt']
  for (const { className, fields } of definitions)
    expect(Object.keys(all[className][0] ?? {}).sort(), className).toEqual([...own, ...Object.keys(fields)].sort())
  const counts = Object.fromEntries(Object.entries(all).map(([name, rows]) => [name, rows.length]))
  expect(counts).toEqual({ Participant: 1_000, Topic: 10_000, Comment: 30_000, Event: 300, Feedback: 20_000 })
  const pointers = ['15013', '15014', '15015'].map((objectId) => ({
    __type: 'Pointer',
    className: 'Comment',
    objectId,
  }))
  expect(all.Topic[5004]).toMatchObject({ objectId: '5005', comments: pointers, files: [{ id: 1001 }] })
  expect(all.Topic[5004]?.likes).toHaveLength(2)
})

test('responses of different shapes are compared by the texts of participants', () => {
  const ours = {
    data: [{ id: '1', header: 'Lunch is served', photoUrl: 'https://a.example/1.jpg', at: '2024-01-01 08:00:00' }],
  }
  const theirs = { results: { objectId: 1, text: 'Lunch is served', author: [{ photo: 'https://a.example/1.jpg' }] } }
  expect(textsIn(ours)).toEqual(['Lunch is served', 'https://a.example/1.jpg'])
  expect(textsIn(theirs)).toEqual(textsIn(ours))
})

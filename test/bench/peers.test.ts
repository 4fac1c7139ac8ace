import { expect, test } from 'vitest'
import { asked } from '../../bench/peers/asked.ts'
import { forDirectus } from '../../bench/peers/directus/requests.ts'
import { textsIn } from '../../bench/peers/same-texts.ts'
import { cases, type Request } from '../../bench/workload.ts'

/** What a bench sends to others instead of the workload, with none of them installed. */

const get = (path: string): Request => ({ method: 'GET', path })
const post = (path: string, body: object): Request => ({ method: 'POST', path, body: JSON.stringify(body) })

const feedPage = get('/api/newsfeeds/topics/9000/20')
const details = get('/api/newsfeeds/topics/5005/details')
const comment = post('/api/newsfeeds/topics/7/comments/create', { comment: 'On my way', created_by: 3 })
const topic = post('/api/newsfeeds/topics/create', { name: 'Lunch', body: 'is served', created_by: 3 })
const feedback = post('/api/feedback/add', { participant_id: 3, rating: '5', comments: 'Great', program_id: 9 })

test('every request of the cases that others are measured with is known', () => {
  const measured = cases.filter(({ name }) => /^(R\d( cold)?|M|W\d)$/.test(name))
  expect(measured.map(({ name }) => name)).toHaveLength(16)
  for (const request of measured.flatMap(({ requests }) => requests)) {
    expect(forDirectus(asked(request)).method).toBe(request.method)
  }
})

test('what others have nothing like is refused by name', () => {
  expect(() => asked(get('/api/program/banner/get/7'))).toThrow('nothing like GET /api/program/banner/get/7')
})

test.each([['Directus', forDirectus, /^\/items\/topic\?fields=id,.*&sort=-id&offset=9000&limit=20$/]])(
  '%s is asked for a page of the feed, newest first',
  (_, requestFor, path) => {
    expect(requestFor(asked(feedPage)).path).toMatch(path)
  },
)

test.each([
  ['Directus', forDirectus, '/items/topic/5005?', 'comments.created_by.full_name', 'likes.participant_id.photo'],
])('%s is asked for a topic with its comments, their authors and likes', (_, requestFor, ...parts) => {
  const { path } = requestFor(asked(details))
  for (const part of parts) expect(path).toContain(part)
})

test.each([
  [comment, '/items/comment', { comment: 'On my way', created_by: 3, topic_id: 7 }],
  [topic, '/items/topic', { header: 'Lunch', body: 'is served', created_by: 3 }],
  [feedback, '/items/feedback', { participant_id: 3, rating: '5', comments: 'Great', program_id: 9 }],
])('Directus is sent what a participant writes, and when: %o', (request, path, item) => {
  const sent = forDirectus(asked(request))
  expect(sent).toMatchObject({ method: 'POST', path })
  expect(JSON.parse(sent.body ?? '')).toEqual({ ...item, created_at: expect.any(String) })
})

test('answers of different shapes are compared by what people wrote', () => {
  const ours = {
    data: [{ id: '1', header: 'Lunch is served', photoUrl: 'https://a.example/1.jpg', at: '2024-01-01 08:00:00' }],
  }
  const theirs = { results: { objectId: 1, text: 'Lunch is served', author: [{ photo: 'https://a.example/1.jpg' }] } }
  expect(textsIn(ours)).toEqual(['Lunch is served', 'https://a.example/1.jpg'])
  expect(textsIn(theirs)).toEqual(textsIn(ours))
})

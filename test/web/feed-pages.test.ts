import { describe, expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { forgetParticipant } from '../../src/server/domains/privacy/forget-participant.ts'
import { addRecord } from '../../src/server/domains/program/records.ts'
import { startAppWithKeys } from '../access/app-with-keys.ts'
import { startTestApp } from '../app.ts'
import { pixel } from '../contract/examples.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { linksIn, openPage } from './pages.ts'

// The feed and its threads, as people read them in a browser.

const picture = (name: string) => ({ name, fileType: 'image/png', data: pixel })

describe('the page /feed', () => {
  test('shows a post with its author, time, text, counts, pictures and files', async () => {
    await using t = await startTestApp({ TIMEZONE: 'Asia/Kolkata' })
    await inCommand(t, (scope) => addRecord(scope, 'conference', { title: 'Summit', time_zone: 'Europe/Berlin' }))
    const ana = await make.participant(t)
    const uploaded_files = [
      ...[picture('roof.png'), picture('view.png')],
      ...[{ name: 'Plan B.txt', fileType: 'text/plain', data: 'R3LD' }, 'https://cdn.summit.example/plan.png'],
    ]
    await make.topic(t, { created_by: ana, body: 'Until 14:00.\nhttps://menu.example/', uploaded_files })
    for (let nth = 0; nth < 3; nth++) await make.comment(t, { topic_id: 1 })
    await t.client.likeTopic({ topic_id: 1, created_by: ana })
    const { page, text } = await openPage(t, '/feed')
    expect(text).toContain('AC Ana Cruz 1 May 2030, 11:00 Lunch is served Until 14:00. https://menu.example/')
    expect(text).toContain('Plan B.txt Download, 3 bytes')
    expect(text).toContain('1 like 3 comments')
    expect(page).toContain('<time datetime="2030-05-01T14:30:00+05:30" data-relative>')
    expect(page).toContain('<a href="https://menu.example/" rel="nofollow ugc noopener"')
    const images = [...page.matchAll(/<img [^>]*>/g)].map(([image]) => image)
    expect(images).toEqual([
      expect.stringMatching(/src="\/api\/newsfeeds\/files\/1\/roof.png" alt="Photo 1 of 2 by Ana Cruz"/),
      expect.stringMatching(/src="\/api\/newsfeeds\/files\/2\/view.png" alt="Photo 2 of 2 by Ana Cruz"/),
    ])
    expect(linksIn(page)).toEqual(
      expect.arrayContaining([
        ...['/feed/1', '/api/newsfeeds/files/1/roof.png', '/api/newsfeeds/files/3/Plan%20B.txt'],
        ...['https://cdn.summit.example/plan.png', '/feed/1#comments'],
      ]),
    )
  })

  test('shows everything that somebody wrote as text', async () => {
    await using t = await startTestApp()
    const evil = `"'><img src=x onerror=alert(1)><script>alert(1)</script>`
    const created_by = await make.participant(t, { first_name: evil, last_name: evil, photo: 'https://evil.example/x' })
    const uploaded_files = [{ ...picture(`${evil}.png`) }, { name: evil, fileType: 'text/plain', data: 'R3LD' }]
    const body = `${evil} https://evil.example/${evil}`
    await make.topic(t, { created_by, name: evil, body, uploaded_files })
    await make.comment(t, { topic_id: 1, created_by, comment: body, uploaded_files })
    for (const path of ['/feed', '/feed/1']) {
      const { page, text, headers } = await openPage(t, path)
      expect(text).toContain(evil)
      expect(page).not.toContain('<img src=x')
      expect(page.match(/<script[ >]/g)).toHaveLength(1)
      expect(page).not.toMatch(/<img [^>]*src="http/)
      expect(page).not.toContain(evil)
      expect(headers.get('content-security-policy')).toContain("img-src 'self' blob: data:;")
    }
  })

  test('cuts a long text, which the page of the post has whole', async () => {
    await using t = await startTestApp()
    await make.topic(t, { body: `${'word '.repeat(400)}end` })
    await make.topic(t, { body: 'line\n'.repeat(400) })
    await make.topic(t, { body: '😀'.repeat(1_500) })
    const { text } = await openPage(t, '/feed')
    expect(text.match(/Read on/g)).toHaveLength(3)
    expect(text).not.toContain('word end')
    expect(text.match(/\bline\b/g)).toHaveLength(12)
    expect(text).not.toContain('\ufffd')
    expect((await openPage(t, '/feed/1')).text).toContain('word end')
  })

  test('has 20 posts, and leads to the older and newer ones', async () => {
    await using t = await startTestApp()
    for (let n = 1; n <= 41; n++) await make.topic(t, { name: `Post ${n}.` })
    const postsIn = (page: string) => [...page.matchAll(/>(Post \d+)\.</g)].map(([, name]) => name)
    const turns = (page: string) =>
      linksIn(page)
        .filter((link) => /^\/feed(\?|$)/.test(link))
        .slice(1)
    const first = (await openPage(t, '/feed')).page
    expect([postsIn(first)[0], postsIn(first).length, turns(first)]).toEqual(['Post 41', 20, ['/feed?from=20']])
    const middle = (await openPage(t, '/feed?from=20')).page
    expect([postsIn(middle)[0], turns(middle)]).toEqual(['Post 21', ['/feed', '/feed?from=40']])
    const last = (await openPage(t, '/feed?from=40')).page
    expect([postsIn(last), turns(last)]).toEqual([['Post 1'], ['/feed?from=20']])
    expect((await openPage(t, '/feed?from=99')).headers.get('location')).toBe('/feed')
    for (const odd of ['-1', 'x', '1e3', '9'.repeat(40)]) {
      const { status, page } = await openPage(t, `/feed?from=${odd}`)
      expect([status, postsIn(page)[0]]).toEqual([200, 'Post 41'])
    }
  })

  test('says what will be there while it is empty', async () => {
    await using t = await startTestApp()
    expect((await openPage(t, '/feed')).text).toContain('Nothing has been posted yet')
  })

  test.each(['/feed', '/feed/1'])('comes from memory at %s until what it shows changes', async (path) => {
    await using t = await startTestApp()
    const ana = await make.participant(t)
    await make.topic(t, { created_by: ana })
    const changes: [string, () => Promise<unknown>][] = [
      ['1 like', () => t.client.likeTopic({ topic_id: 1, created_by: ana })],
      ['1 comment', () => make.comment(t, { topic_id: 1 })],
      ['edited', () => t.client.updateTopic({ topic_id: 1, name: 'Lunch is late' })],
      ['Zoe Cruz', () => t.client.updateParticipant({ participantId: ana, first_name: 'Zoe' })],
    ]
    for (const [seen, change] of changes) {
      const before = await openPage(t, path)
      expect(before.text).not.toContain(seen)
      const headers = { 'if-none-match': before.headers.get('etag') ?? '' }
      const same = await openPage(t, path, { headers })
      expect([same.status, same.page]).toEqual([304, ''])
      t.advance(1_000)
      await change()
      const changed = await openPage(t, path, { headers })
      expect([changed.status, changed.text]).toEqual([200, expect.stringContaining(seen)])
    }
  })

  test('is for everybody where the summit is public, and otherwise for those who have signed in', async () => {
    for (const access of ['public', 'members'] as const) {
      await using t = await startAppWithKeys(access)
      await t.ana.client.createTopic({
        name: 'Lunch',
        uploaded_files: [picture('a.png')],
        created_by: t.ana.participant,
      })
      for (const path of ['/feed', '/feed/1', '/feed?from=0']) {
        const visitor = await openPage(t, path)
        if (access === 'public') expect([visitor.status, visitor.text]).toEqual([200, expect.stringContaining('Lunch')])
        else {
          const next = `/sign-in?next=${encodeURIComponent(path)}`
          expect([visitor.status, visitor.headers.get('location')]).toEqual([303, next])
        }
        for (const reader of [t.ana, t.owner]) {
          const { status, page, headers } = await openPage(t, path, reader)
          expect([status, page]).toEqual([200, expect.stringContaining('src="/api/newsfeeds/files/1/a.png"')])
          expect(page).not.toMatch(/smm_|key=/)
          expect(headers.get('cache-control')).toMatch(/^private, no-/)
          expect(headers.get('x-robots-tag')).toBe('noindex')
        }
        expect(visitor.headers.get('x-robots-tag')).toBe(access === 'public' ? 'noindex' : null)
      }
    }
  })
})

describe('the page of a post', () => {
  test('begins with the oldest of 120 comments, and leads to the latest', async () => {
    await using t = await startTestApp()
    await make.topic(t)
    for (let n = 1; n <= 120; n++) await make.comment(t, { topic_id: 1, comment: `Comment ${n}.` })
    const commentsIn = (page: string) => [...page.matchAll(/>(Comment \d+)\.</g)].map(([, name]) => name)
    const turns = (page: string) => linksIn(page).filter((link) => link.startsWith('/feed/1'))
    const first = await openPage(t, '/feed/1')
    expect(first.text).toContain('120 comments 1 to 50 Latest comments')
    expect([commentsIn(first.page)[0], commentsIn(first.page).length]).toEqual(['Comment 1', 50])
    expect(turns(first.page)).toEqual(['/feed/1?from=100#comments', '/feed/1?from=50#comments'])
    const last = await openPage(t, '/feed/1?from=100')
    expect(commentsIn(last.page)).toHaveLength(20)
    expect(turns(last.page)).toEqual(['/feed/1?from=50#comments'])
    expect(turns((await openPage(t, '/feed/1?from=50')).page)).toContain('/feed/1#comments')
    expect((await openPage(t, '/feed/1?from=150')).headers.get('location')).toBe('/feed/1')
  })

  test('says nothing of a deleted comment, and is not there for a deleted post', async () => {
    await using t = await startTestApp()
    await make.topic(t)
    const uploaded_files = [picture('secret.png')]
    await make.comment(t, { topic_id: 1, comment: 'Take it back', uploaded_files })
    expect((await openPage(t, '/feed/1')).text).toContain('Take it back')
    await t.client.deleteComment({ comment_id: 1 })
    for (const path of ['/feed/1', '/feed']) {
      const { page, text } = await openPage(t, path)
      expect(page).not.toMatch(/Take it back|secret|comment-1/)
      expect(text).toContain('No comments yet')
    }
    await t.client.deleteTopic({ topic_id: 1 })
    for (const id of ['1', '404', '0', 'x', '1%20', '9'.repeat(30)]) {
      const { status, page } = await openPage(t, `/feed/${id}`)
      expect([id, status, page]).toEqual([id, 404, expect.stringContaining('There is nothing here')])
    }
  })

  test('does not name somebody who was erased', async () => {
    await using t = await startTestApp()
    const ana = await make.participant(t, { first_name: 'Anastasia' })
    const uploaded_files = [picture('a.png')]
    await make.topic(t, { created_by: ana, uploaded_files })
    await make.comment(t, { topic_id: 1, created_by: ana })
    expect((await openPage(t, '/feed/1')).page).toContain('Anastasia')
    await inCommand(t, (scope) => forgetParticipant(scope, ana as ParticipantId, true))
    for (const path of ['/feed', '/feed/1']) {
      const { page, text } = await openPage(t, path)
      expect(page).not.toMatch(/Anastasia|Cruz/)
      expect(text).toContain('Somebody who has left')
      expect(page).toContain('alt="Photo by somebody who has left"')
    }
  })
})

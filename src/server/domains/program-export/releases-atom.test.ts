import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { startTestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import { addRecord } from '../program/records.ts'
import { readFile } from './export-program.fixtures.ts'

const elements = (parent: XmlElement, name: string): XmlElement[] =>
  parent.children.filter((child) => child instanceof XmlElement).filter((child) => child.name === name)

/** Reads a feed as RFC 4287 requires it (4.1.1 and 4.1.2). */
function readFeed(text: string) {
  const { root } = parseXml(text)
  if (!root) throw new Error('The feed is empty.')
  expect([root.name, root.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom'])
  const entries = elements(root, 'entry')
  const readOwn = (parent: XmlElement) => {
    const [id, title, updated] = ['id', 'title', 'updated'].map((name) => {
      const found = elements(parent, name)
      expect(found.length, name).toBe(1)
      return found[0]?.text ?? ''
    })
    expect(id).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
    expect(updated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
    return { id, title, updated }
  }
  const links = elements(root, 'link').map(({ attributes }) => [attributes.rel, attributes.href])
  // A feed has an author, or each entry has one.
  expect(elements(root, 'author').flatMap((author) => elements(author, 'name'))).toHaveLength(1)
  const contents = entries.map((entry) => {
    const [content, ...others] = elements(entry, 'content')
    // An entry has content, or a link to it.
    expect([content?.attributes.type, others]).toEqual(['html', []])
    return { ...readOwn(entry), html: content?.text }
  })
  const ids = [root, ...entries].map((part) => readOwn(part).id)
  expect(new Set(ids).size).toBe(ids.length)
  return { ...readOwn(root), links: Object.fromEntries(links), entries: contents }
}

test('a feed reader gets what has changed, with ids that stay', async () => {
  await using t = await startAppWithKeys('public')
  const title = 'Summit & “friends” <2030>'
  await inCommand(t, async (scope) => {
    await addRecord(scope, 'conference', { title, url: 'https://summit.example/2030', time_zone: 'Europe/Berlin' })
    for (const name of ['Hall 1', 'Hall <2>']) await addRecord(scope, 'room', { name, building: null })
  })
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  const slot = { starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00', room_id: 1 }
  const id = Number((await editor.createEvent({ title: 'Boats & <b>knots</b>', ...slot })).event.id)
  await editor.publish({ note: 'Welcome!\n<script>x()</script>' })
  const before = readFeed(await readFile(t, 'releases.atom'))
  await editor.updateEvent({ id, revision: 2, starts_at: '2030-05-03 23:30', room_id: 2 })
  t.advance(60_000)
  await editor.publish({})
  const feed = readFeed(await readFile(t, 'releases.atom'))
  expect(feed).toMatchObject({ id: before.id, title: `${title}: changes to the program` })
  expect(feed.updated).toBe(feed.entries[0]?.updated)
  expect(feed.updated).toBe('2030-05-01T11:01:00+02:00')
  expect(feed.links).toEqual({
    self: 'https://summit.example/api/program/export/releases.atom',
    alternate: 'https://summit.example/2030',
  })
  const moved =
    'Moved: Boats &amp; &lt;b&gt;knots&lt;/b&gt;, 2030-05-03 23:30 to 2030-05-04 00:30, Hall &lt;2&gt; ' +
    '(was 2030-05-02 09:00 to 10:00, Hall 1)'
  expect(feed.entries).toMatchObject([
    { title: 'Moved: Boats & <b>knots</b>', html: `<ul><li>${moved}</li></ul>` },
    {
      ...{ id: before.entries[0]?.id, title: 'The program is published' },
      html: '<p>Welcome!<br>&lt;script&gt;x()&lt;/script&gt;</p><p>The program is published.</p>',
    },
  ])
  await editor.undoRevision({ id: 4 })
  const [back, undone] = readFeed(await readFile(t, 'releases.atom')).entries
  expect(undone).toMatchObject({
    id: feed.entries[0]?.id,
    html: `<p>A later change takes this back.</p><ul><li>${moved}</li></ul>`,
  })
  expect(back?.html).toContain('2030-05-02 09:00 to 10:00, Hall 1 (was 2030-05-03')
  for (const title of ['Tides', 'Knots']) await editor.createEvent({ title, ...slot })
  await editor.publish({ events: [2, 3] })
  expect(readFeed(await readFile(t, 'releases.atom')).entries[0]?.title).toBe('New: 2')
})

test('a program without changes has an empty feed', async () => {
  await using t = await startTestApp()
  const { headers } = await fetch(`${t.url}/api/program/export/releases.atom`)
  expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  expect(readFeed(await readFile(t, 'releases.atom'))).toMatchObject({
    ...{ title: 'Summit: changes to the program', updated: '1970-01-01T00:00:00.000Z', entries: [] },
  })
})

import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import {
  type AppWithKeys,
  setUpSharedAppWithKeys,
  startAppWithKeys,
  withKeys,
} from '../../../../test/access/app-with-keys.ts'
import { inviteAsOrganizer, signInAsOrganizer, signInWith } from '../../../../test/access/sessions.ts'
import { startTestApp } from '../../../../test/app.ts'
import { runSummitInProcess } from '../../../../test/command.ts'
import * as make from '../../../../test/make.ts'
import { type Input, operations } from '../../../contract/index.ts'

const all = { offset: 0, limit: 1_000 }

const idsOf = ({ changes }: { changes: { id: string }[] }) => changes.map(({ id }) => Number(id))

describe('an owner', () => {
  test('lists the changes of everyone, newest first, page by page', async () => {
    await using t = await startAppWithKeys('public')
    for (const name of ['One', 'Two', 'Three']) await make.topic({ ...t, client: t.ana.client }, { name })
    const list = (offset: number, limit: number) => t.owner.client.listChanges({ offset, limit })
    const everything = idsOf(await t.owner.client.listChanges(all))
    expect(everything).toEqual(everything.toSorted((a, b) => b - a))
    expect(everything.at(-1)).toBe(1)
    expect(idsOf(await list(0, 2))).toEqual(everything.slice(0, 2))
    expect(idsOf(await list(2, 2))).toEqual(everything.slice(2, 4))
    expect(idsOf(await list(everything.length, 2))).toEqual([])
    const { changes } = await list(0, 1)
    expect(changes).toEqual([
      {
        ...{ id: String(everything[0]), created_at: '2030-05-01 09:00:00', kind: 'topic.created' },
        ...{ record_id: '3', topic_id: '3', participant_id: String(t.ana.participant) },
        ...{ credential_id: String(t.ana.id), organizer_id: '0', request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      },
    ])
  })

  test('filters by kind, record, participant, organizer, key and time, as the command does', async () => {
    await using t = await startAppWithKeys('members')
    const mo = await signInAsOrganizer(t, 'mo@summit.example', ['moderator'])
    await mo.client.createTopic({ name: 'For Ana', created_by: t.ana.participant })
    t.advance(60_000)
    await t.ana.client.likeTopic({ topic_id: 1, created_by: t.ana.participant })
    await t.ben.client.createTopic({ name: 'By Ben', created_by: t.ben.participant })
    const filters: [filter: Partial<Input<'listChanges'>>, options: string[], kinds: string[]][] = [
      [{ kind: 'topic.liked' }, ['--kind', 'topic.liked'], ['topic.liked']],
      [{ kind: 'topic', record_id: 1 }, ['--kind', 'topic', '--record', '1'], ['topic.liked', 'topic.created']],
      [{ participant_id: t.ana.participant }, ['--actor', String(t.ana.participant)], ['topic.liked', 'topic.created']],
      [{ organizer_id: 1 }, ['--organizer', '1'], ['topic.created']],
      [{ credential_id: t.ben.id }, ['--credential', String(t.ben.id)], ['topic.created']],
      [{ since: '2030-05-01 09:01:00' }, ['--since', '2030-05-01 09:01:00'], ['topic.created', 'topic.liked']],
      [
        { since: '2030-05-01T11:01+02:00', before: '2030-05-02', kind: 'topic.created' },
        ['--since', '2030-05-01T11:01+02:00', '--before', '2030-05-02', '--kind', 'topic.created'],
        ['topic.created'],
      ],
      [{ kind: 'topic', before: '2030-05-01T09:00:00Z' }, ['--kind', 'topic', '--before', '2030-05-01'], []],
    ]
    for (const [filter, options, kinds] of filters) {
      const { changes } = await t.owner.client.listChanges({ ...all, ...filter })
      expect(
        changes.map(({ kind }) => kind),
        JSON.stringify(filter),
      ).toEqual(kinds)
      const { out } = await runSummitInProcess(['audit', 'list', ...options], t.settings)
      const listed = out.split('\n').flatMap((line) => /^ +(\d+) /.exec(line)?.[1] ?? [])
      expect(listed.map(Number), JSON.stringify(options)).toEqual(idsOf({ changes }))
    }
  })

  test('gives times in the time zone of the responses', async () => {
    await using t = await startAppWithKeys('members', { TIMEZONE: 'Europe/Berlin' })
    const { changes } = await t.owner.client.listChanges(all)
    expect(new Set(changes.map(({ created_at }) => created_at))).toEqual(new Set(['2030-05-01 11:00:00']))
    const count = async (since: string) => (await t.owner.client.listChanges({ ...all, since })).changes.length
    expect(await count('2030-05-01 11:00:00')).toBe(changes.length)
    expect(await count('2030-05-01 11:00:01')).toBe(0)
  })

  test('reads neither personal data nor secrets, in a response that nothing may store', async () => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsOrganizer(t, 'eva@summit.example', ['owner'])
    const eva = await signInWith(t.url, token)
    await t.ana.client.updateSharing({ email: true })
    const { text, headers, envelope } = await eva.client.call('listChanges', all)
    const { data } = envelope
    expect(Compile(operations.listChanges.data).Errors(data)).toEqual([])
    expect(headers.get('cache-control')).toBe('private, no-store')
    const secrets = [token, eva.setCookie, String(t.owner.headers.authorization), 'summit.example', 'Ana', '+41']
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  test('gets a page of at most 1,000 changes', async () => {
    await using t = await startAppWithKeys('public')
    await t.ctx.database.transaction(async (db) => {
      const rows = Array.from({ length: 1_200 }, (_, n) => ({
        id: 1_000 + n,
        at: 1,
        kind: 'topic.liked',
        record_id: 1,
      }))
      for (let first = 0; first < rows.length; first += 100)
        await db
          .insertInto('change')
          .values(rows.slice(first, first + 100))
          .execute()
    })
    expect((await t.owner.client.listChanges({ offset: 0, limit: 5_000 })).changes).toHaveLength(1_000)
    expect((await t.owner.client.listChanges({ offset: 1_000, limit: 5_000, kind: 'topic' })).changes).toHaveLength(200)
  })
})

describe('a filter that is not valid', () => {
  const app = setUpSharedAppWithKeys('members')

  const read = async (t: AppWithKeys, query: string) =>
    (await make.send(t, 'GET', `/api/changes/0/10${query}`, undefined, t.owner.headers)) as {
      response_code: number
      data: { fields: unknown }
    }

  test.each([
    ['?kind=x', 'kind', 'NOT_A_KIND'],
    ['?kind=topic.', 'kind', 'NOT_A_KIND'],
    ['?kind=%00', 'kind', 'NOT_TEXT'],
    ['?since=now', 'since', 'NOT_A_TIME'],
    ['?since=2030-02-31', 'since', 'NOT_A_TIME'],
    ['?since=2030-02-28T24:30', 'since', 'NOT_A_TIME'],
    ['?before=1', 'before', 'NOT_A_TIME'],
    ['?record_id=0', 'record_id', 'NOT_AN_INTEGER'],
    ['?participant_id=1.5', 'participant_id', 'NOT_AN_INTEGER'],
    ['?organizer_id=x', 'organizer_id', 'NOT_AN_INTEGER'],
    ['?credential_id=-1', 'credential_id', 'NOT_AN_INTEGER'],
    ['?credential=1', 'credential', 'UNKNOWN'],
    ['?__proto__=1', '__proto__', 'UNKNOWN'],
    ['?record_id=1&record_id=2', 'record_id', 'REPEATED'],
  ])('is named: %s', async (query, field, reason) => {
    const { response_code, data } = await read(app(), query)
    expect(response_code).toBe(4220)
    expect(data.fields).toEqual([{ field, in: 'query', reason, message: expect.any(String) }])
  })

  test.each(['?', '?kind=&record_id=&since=', '?kind=participant&'])(
    'an empty one counts as absent: %s',
    async (query) => {
      expect((await read(app(), query)).response_code).toBe(1000)
    },
  )
})

test('where ACCESS is open, the operation is for owners, too', async () => {
  await using t = await withKeys(await startTestApp())
  expect(await make.codeOf(t.client.call('listChanges', all))).toBe(4010)
  expect(await make.codeOf(t.owner.client.call('listChanges', all))).toBe(1000)
})

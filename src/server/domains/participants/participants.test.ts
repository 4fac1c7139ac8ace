import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'

const ana = {
  employee_no: 'E1001',
  designation: 'Engineer',
  email: 'ana.cruz@summit.example',
  first_name: 'Ana',
  last_name: 'Cruz',
  photo: 'photos/ana.jpg',
  mobile_no: '+639170000001',
  gender: 'F',
}

/** Sends an update that the types of the client do not allow. */
const update = (t: TestApp, members: object, id = 1) =>
  make.send(t, 'PUT', `/api/participants/${id}/update`, JSON.stringify(members))

const listed = async (t: TestApp) => (await t.client.listParticipants({ offset: 0, limit: 1_000 })).participants

/** A participant as shown in the list. */
const shown = async (t: TestApp, id: number) => make.only((await listed(t)).filter((one) => one.id === String(id)))

const app = setUpSharedApp()

describe('the list', () => {
  test('shows the participants', async () => {
    await using t = await startTestApp()
    await make.participant(t, ana)
    expect(await listed(t)).toEqual([
      {
        id: '1',
        full_name: 'Ana Cruz',
        designation: 'Engineer',
        employee_no: 'E1001',
        email: 'ana.cruz@summit.example',
        photo: 'photos/ana.jpg',
        mobile_no: '+639170000001',
        gender: 'F',
      },
    ])
  })

  test('is in pages, by id, without deleted participants', async () => {
    await using t = await startTestApp()
    for (const first_name of ['Dan', 'Ana', 'Cleo', 'Ben']) await make.participant(t, { first_name, last_name: '' })
    await t.ctx.database.transaction((tx) =>
      tx.updateTable('participant').set({ is_deleted: 1 }).where('first_name', '=', 'Ana').execute(),
    )
    const names = async (offset: number, limit: number) =>
      (await t.client.listParticipants({ offset, limit })).participants.map(({ full_name }) => full_name)
    expect(await names(0, 2)).toEqual(['Dan', 'Cleo'])
    expect(await names(2, 2)).toEqual(['Ben'])
    expect(await names(3, 2)).toEqual([])
    expect(await names(0, 0)).toEqual([])
    expect(await names(0, 5_000)).toEqual(['Dan', 'Cleo', 'Ben'])
  })

  test.each([
    ['Ana', 'Cruz', 'Ana Cruz'],
    ['Ana', '', 'Ana'],
    ['', 'Cruz', 'Cruz'],
    ['Ana Maria', 'de la Cruz', 'Ana Maria de la Cruz'],
    ['', '', ''],
  ])('joins %j and %j into %j', async (first_name, last_name, full_name) => {
    const t = app()
    const id = await make.participant(t, { first_name, last_name })
    expect((await shown(t, id)).full_name).toBe(full_name)
  })
})

describe('an update', () => {
  test('returns the whole participant, and the list shows the change', async () => {
    await using t = await startTestApp()
    await make.participant(t)
    t.advance(60_000)

    const updated = await t.client.updateParticipant({ participantId: 1, ...ana })

    expect(updated).toEqual({
      participant: {
        id: '1',
        ...ana,
        created_at: '2030-05-01 09:00:00',
        modified_at: '2030-05-01 09:01:00',
        deleted_at: '0000-00-00 00:00:00',
        created_by: '0',
        modified_by: '0',
        deleted_by: '0',
        is_deleted: '0',
        google_id: '',
      },
    })
    const { first_name, last_name, ...rest } = ana
    expect(await listed(t)).toEqual([{ id: '1', full_name: `${first_name} ${last_name}`, ...rest }])
  })

  test.each(Object.keys(ana) as (keyof typeof ana)[])('of %s alone changes nothing else', async (member) => {
    const t = app()
    const participantId = await make.participant(t, ana)
    const { participant } = await t.client.updateParticipant({ participantId, [member]: 'new' })
    expect(participant).toMatchObject({ ...ana, [member]: 'new' })
  })

  test('clears empty members, and does not change those that are absent or null', async () => {
    await using t = await startTestApp()
    await make.participant(t, ana)
    const { data } = await update(t, { designation: '', mobile_no: '', email: null, gender: null })
    expect(data).toMatchObject({ participant: { ...ana, designation: '', mobile_no: '' } })
    const everything = Object.fromEntries(Object.keys(ana).map((member) => [member, '']))
    expect((await update(t, everything)).data).toMatchObject({ participant: everything })
    expect(await listed(t)).toMatchObject([{ full_name: '', photo: null, email: '' }])
  })

  test('without members changes only modified_at', async () => {
    await using t = await startTestApp()
    await make.participant(t, ana)
    t.advance(1_000)
    expect(await update(t, {})).toMatchObject({
      response_code: 1000,
      data: { participant: { ...ana, modified_at: '2030-05-01 09:00:01' } },
    })
  })

  test('with a participant sent back as read changes nothing, even with changed read-only members', async () => {
    await using t = await startTestApp()
    await make.participant(t, ana)
    const { participant } = await t.client.updateParticipant({ participantId: 1 })
    const tampered = {
      id: '7',
      participantId: 7,
      full_name: 'Eve',
      created_at: '2000-01-01 00:00:00',
      modified_at: '2000-01-01 00:00:00',
      deleted_at: '2000-01-01 00:00:00',
      created_by: '7',
      modified_by: '7',
      deleted_by: '7',
      is_deleted: '1',
      google_id: 'g-7',
    }
    expect(await update(t, { ...participant, ...tampered })).toMatchObject({
      response_code: 1000,
      data: { participant },
    })
    expect(await t.client.updateParticipant({ participantId: 1 })).toEqual({ participant })
    expect(await listed(t)).toHaveLength(1)
  })

  test('is equivalent in both form encodings', async () => {
    await using t = await startTestApp()
    await make.participant(t)
    for (const form of [new URLSearchParams(), new FormData()]) {
      const designation = `Ingenieurin für ${form.constructor.name} & mehr`
      form.append('designation', designation)
      form.append('email', '')
      const { data } = await make.send(t, 'PUT', '/api/participants/1/update', form)
      expect(data).toMatchObject({ participant: { designation, email: '', first_name: 'Ana' } })
    }
  })

  test('with several invalid members reports all of them and changes nothing', async () => {
    await using t = await startTestApp()
    await make.participant(t, ana)
    const bad = { first_name: 7, last_name: 'x'.repeat(256), email: 'a\0b', gender: {}, designation: 'not stored' }
    const fields = [
      { field: 'email', reason: 'NOT_TEXT' },
      { field: 'first_name', reason: 'NOT_A_STRING' },
      { field: 'last_name', reason: 'TOO_LONG' },
      { field: 'gender', reason: 'NOT_A_STRING' },
    ]
    expect(await update(t, bad)).toMatchObject({ response_code: 4220, data: { fields } })
    expect(await listed(t)).toMatchObject([{ full_name: 'Ana Cruz', designation: 'Engineer' }])
  })

  test('of a deleted or unknown participant fails', async () => {
    await using t = await startTestApp()
    await make.participant(t, ana)
    await t.ctx.database.transaction((tx) => tx.updateTable('participant').set({ is_deleted: 1 }).execute())
    for (const participantId of [1, 9])
      expect((await t.client.call('updateParticipant', { participantId, gender: 'F' })).envelope).toMatchObject({
        response_code: 4040,
        data: { reason: 'PARTICIPANT_NOT_FOUND' },
      })
    const log = await t.ctx.database.read.selectFrom('change').select('kind').execute()
    expect(log).toEqual([{ kind: 'participant.created' }])
  })
})

describe('a photo', () => {
  test.each([
    ['https://cdn.summit.example/ana.jpg', 'https://cdn.summit.example/ana.jpg'],
    ['HTTP://cdn.summit.example/ana.jpg', 'HTTP://cdn.summit.example/ana.jpg'],
    ['photos/ana.jpg', '{base}/photos/ana.jpg'],
    ['/photos/ana cruz.jpg', '{base}/photos/ana%20cruz.jpg'],
    ['//evil.example/ana.jpg', '{base}/evil.example/ana.jpg'],
    ['', null],
  ])('given as %j is stored unchanged, and an author has it as %j', async (photo, photoUrl) => {
    const t = app()
    const participantId = await make.participant(t)
    const { participant } = await t.client.updateParticipant({ participantId, photo })
    expect(participant.photo).toBe(photo)
    expect((await shown(t, participantId)).photo).toBe(photo === '' ? null : photo)
    expect((await make.topic(t, { created_by: participantId })).author.photoUrl).toBe(
      photoUrl?.replace('{base}', t.url) ?? null,
    )
  })

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:image/png;base64,R3LD',
    'file:///etc/passwd',
    'C:\\photos\\ana.jpg',
    'https:ana.jpg',
    'https://',
    ' https://cdn.summit.example/ana.jpg',
  ])('with a scheme other than http(s) is rejected: %j', async (photo) => {
    const t = app()
    const id = await make.participant(t, ana)
    expect(await update(t, { photo }, id)).toMatchObject({
      response_code: 4220,
      data: { fields: [{ field: 'photo', reason: 'NOT_A_PHOTO' }] },
    })
    expect((await shown(t, id)).photo).toBe(ana.photo)
  })
})

test('an update in which every member is invalid in two ways reports each once', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  const members = ['employee_no', 'designation', 'email', 'first_name', 'last_name', 'photo', 'mobile_no', 'gender']
  const tooLongAndNoText = Object.fromEntries(members.map((name) => [name, `\0${'x'.repeat(20_000)}`]))
  const { envelope } = await t.client.call('updateParticipant', { participantId: 1, ...tooLongAndNoText })
  const { fields } = envelope.data as unknown as { fields: { field: string }[] }
  expect(fields.map(({ field }) => field).sort()).toEqual(members.sort())
})

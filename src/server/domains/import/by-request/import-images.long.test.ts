import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signInAsOrganizer } from '../../../../../test/access/sessions.ts'
import * as make from '../../../../../test/make.ts'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import { createPicture, importFolder } from '../images/images.fixtures.ts'
import { load, loadAll, startWithProgram, targetsOf, toFile, type World } from './import-images.fixtures.ts'
import { startWithEditor } from './import-program.fixtures.ts'

test('only sessions of a program and their speakers are found with its name', async () => {
  await using t = await startWithEditor()
  await make.event(t, { title: 'Boats', source: 'talks', source_key: '7', speaker: 'Ana Cruz' })
  await make.event(t, { title: 'Boats', source: 'fringe', source_key: '8', speaker: 'Ben Day' })
  const names = ['Boats.png', 'Ana Cruz.png', 'Ben Day.png', 'boats-banner.png']
  const plan = async (source: string) => targetsOf((await t.editor.planImagesImport({ names, source })).images)
  expect(await plan('')).toEqual([
    ['Boats.png', 'new banner of event 1', 'new banner of event 2'],
    ['Ana Cruz.png', 'new photo of speaker 1'],
    ['Ben Day.png', 'new photo of speaker 2'],
    ['boats-banner.png', 'Another file is the banner of session 1 “Boats”: Boats.png.'],
  ])
  expect((await plan('talks')).map(([, target]) => target)).toEqual([
    'new banner of event 1',
    'new photo of speaker 1',
    expect.stringContaining('No speaker or session of the program talks is called “Ben Day”'),
    'Another file is the banner of session 1 “Boats”: Boats.png.',
  ])
  const { images } = await t.editor.applyImagesImport({ source: 'talks' }, { files: [await toFile('Boats.png')] })
  expect(targetsOf(images)).toEqual([['Boats.png', 'new banner of event 1']])
})

test('a session or speaker who has been deleted since the plan is for nobody, and if that is during the import nothing is attached', async () => {
  await using t = await startWithProgram()
  const { editor } = t
  const names = ['Ana Cruz.png', 'Ben Day.png', 'Secret party.png']
  const files = await Promise.all(names.map((name) => toFile(name)))
  expect((await editor.planImagesImport({ names })).images.every(({ reason }) => reason === null)).toBe(true)
  const remove = async (id: number) => {
    const { draft } = await editor.getDraft({})
    await editor.deleteSpeaker({ id, revision: draft.speakers.find((one) => one.id === `${id}`)?.revision ?? 0 })
  }
  const { blobs } = t.ctx
  const { stage } = blobs
  const whileStoring = (work: () => Promise<unknown>) => {
    blobs.stage = async (source, maxBytes) => {
      // The redrawn image, not one that is received.
      if (Array.isArray(source)) {
        blobs.stage = stage
        await work()
      }
      return stage.call(blobs, source, maxBytes)
    }
  }
  whileStoring(() => remove(1))
  await expect(editor.applyImagesImport({}, { files })).rejects.toMatchObject({ data: { reason: 'EVENT_CHANGED' } })
  const { revision } = (await editor.getDraftEvent({ id: 3 })).event
  whileStoring(() => editor.deleteEvent({ id: 3, revision }))
  await expect(editor.applyImagesImport({}, { files })).rejects.toMatchObject({ data: { reason: 'EVENT_CHANGED' } })
  expect(await make.blobs(t)).toEqual([])
  expect(targetsOf((await editor.applyImagesImport({}, { files })).images)).toEqual([
    ['Ana Cruz.png', expect.stringContaining('No session or speaker is called “Ana Cruz”')],
    ['Ben Day.png', 'new photo of speaker 2'],
    ['Secret party.png', expect.stringContaining('No session or speaker is called “Secret party”')],
  ])
})

test('no name of an erased speaker stays in what is stored of an import', async () => {
  await using t = await startWithEditor()
  await t.editor.createSpeaker({ name: 'Quirina Quast' })
  const files = [await toFile('Quirina Quast.jpg')]
  const options = { files, idempotencyKey: 'once' }
  const { revision_id } = await t.editor.applyImagesImport({}, options)
  expect(await t.editor.applyImagesImport({}, options)).toMatchObject({ revision_id })
  await t.editor.deleteSpeaker({ id: 1, revision: Number(revision_id) })
  const { read } = t.ctx.database
  const stored = [
    await read.selectFrom('idempotency').selectAll().execute(),
    await read.selectFrom('revision').selectAll().execute(),
    await read.selectFrom('revision_record').selectAll().execute(),
  ]
  expect(JSON.stringify(stored)).not.toMatch(/quirina/i)
  await expect.poll(() => make.blobs(t)).toEqual([])
})

test('a participant is found by no name, address or number, and nobody else than an editor plans or imports', async () => {
  await using t = await startWithProgram()
  await make.participant(t, { first_name: 'Quirina', last_name: 'Quast', email: 'q@summit.example', employee_no: 'E7' })
  const names = ['Quirina Quast.png', 'q@summit.example.png', 'E7.png', 'Ana Cruz.png']
  const { images } = await t.editor.planImagesImport({ names })
  expect(targetsOf(images)).toEqual([
    ...names.slice(0, 3).map((name) => [name, expect.stringMatching(/^No session or speaker is called/)]),
    ['Ana Cruz.png', 'new photo of speaker 1'],
  ])
  await t.editor.applyImagesImport({}, { files: [await toFile('Ana Cruz.png'), await toFile('E7.png')] })
  const people = await t.ctx.database.read.selectFrom('participant').select('photo').execute()
  expect(new Set(people.map(({ photo }) => photo))).toEqual(new Set(['']))
  const desk = await t.issueKey({ roles: ['desk', 'moderator', 'reader'] })
  for (const client of [desk.client, t.ana.client]) {
    const refused = { data: { reason: 'FORBIDDEN' } }
    await expect(client.planImagesImport({ names })).rejects.toMatchObject(refused)
    await expect(client.applyImagesImport({}, { files: [await toFile('Ropes.png')] })).rejects.toMatchObject(refused)
  }
})

test('attendees see nothing of the pictures of what is not published, and see them with the publication', async () => {
  await using t = await startWithProgram()
  const { editor } = t
  await editor.createSpeaker({ name: 'Eva Fox' })
  const { event } = await editor.getDraftEvent({ id: 3 })
  await editor.updateEvent({ id: 3, revision: event.revision, speaker_ids: [3] })
  const schedule = async () => JSON.stringify((await t.ana.client.getSchedule({})).schedule)
  const before = await schedule()
  const files = [await toFile('Secret party.png'), await toFile('Eva Fox.png')]
  const { images } = await editor.applyImagesImport({}, { files })
  expect(targetsOf(images)).toEqual([
    ['Secret party.png', 'new banner of event 3'],
    ['Eva Fox.png', 'new photo of speaker 3'],
  ])
  const paths = ['banner/get/3', 'photo/get/3', 'speakers/3/photo']
  const loaded = () => Promise.all(paths.map((path) => load(t, path)))
  expect(await loaded()).toEqual(['EVENT_NOT_FOUND', 'EVENT_NOT_FOUND', 'SPEAKER_NOT_FOUND'])
  expect(await schedule()).toBe(before)
  expect((await editor.readDraftBanner({ id: 3 })).headers.get('content-type')).toBe('image/jpeg')
  await editor.publish({})
  const [banner, photo, ofSpeaker] = await loaded()
  expect(banner).toMatch(/^"[\da-f]{32}"$/)
  expect(photo).toBe(ofSpeaker)
})

test('an editor sends more images than fit into a request, and undoes all of them at once, unless somebody was faster', async () => {
  await using t = await startWithProgram({ MAX_FILES: '1' })
  const { editor } = t
  const before = await loadAll(t)
  const send = async (client: World['editor'], name: string, revision_id?: string | null) =>
    client.applyImagesImport(
      { ...(revision_id && { revision_id: Number(revision_id) }) },
      { files: [await toFile(name)] },
    )
  const first = await send(editor, '1.banner.png')
  const second = await send(editor, 'Ana Cruz.png', first.revision_id)
  const third = await send(editor, '1.photo.png', second.revision_id)
  expect([second.revision_id, third.revision_id]).toEqual([first.revision_id, first.revision_id])
  const newest = async () => make.only((await editor.listRevisions({ offset: 0, limit: 1 })).revisions)
  expect(await newest()).toMatchObject({ id: first.revision_id, records: 3 })
  await editor.undoRevision({ id: Number(first.revision_id) })
  expect(await loadAll(t)).toEqual(before)

  /** Whether the request that names this revision gets another one. */
  const isNew = async (name: string, revision: string | number | null, client = editor) =>
    Number((await send(client, name, `${revision}`)).revision_id) > Number(revision)
  expect(await isNew('1.banner.png', first.revision_id), 'it has been undone').toBe(true)
  const images = (await newest()).id
  await editor.createSpeaker({ name: 'Eva Fox' })
  expect(await isNew('Eva Fox.png', images), 'there is a newer one').toBe(true)
  const { speaker } = await editor.updateSpeaker({ id: 3, revision: Number((await newest()).id), position: 'CTO' })
  expect(await isNew('Ben Day.png', speaker.revision), 'it is no import').toBe(true)
  const eva = await signInAsOrganizer(t, 'eva@summit.example', ['editor'])
  expect(await isNew('2.png', (await newest()).id, eva.client), 'it is that of a key').toBe(true)
  expect(await isNew('3.png', (await newest()).id, eva.client)).toBe(false)
  await makeCommandImport(t)
  expect(await isNew('2.photo.png', (await newest()).id), 'it has participants').toBe(true)
})

/** An import of a folder, with the photo of a participant. */
async function makeCommandImport(t: World): Promise<void> {
  await using folder = await createTemporaryFolder()
  await make.participant(t, { email: 'q@summit.example' })
  await createPicture().toFile(join(folder.path, 'q@summit.example.png'))
  await importFolder(t, folder.path)
}

import { expect, test } from 'vitest'
import * as make from '../../../../../test/make.ts'
import { loadAll, startWithProgram, targetsOf, toFile } from './import-images.fixtures.ts'

test('an editor plans images by their names, applies them as one revision, and undoes them', async () => {
  await using t = await startWithProgram()
  const { editor } = t
  const placeholders = await loadAll(t)
  const first = await editor.applyImagesImport({}, { files: [await toFile('small-boats.jpg', '#111')] })
  const before = await loadAll(t)
  expect(before.map((etag, at) => etag === placeholders[at])).toEqual([false, true, true, true, true])

  const names = ['Ben Day.jpg', 'small boats.png', 'ana_cruz.photo.jpg', '3.banner.jpg', 'Nobody.jpg']
  const { images } = await editor.planImagesImport({ names })
  expect(images[0]?.targets).toEqual([{ kind: 'speaker', id: '2', name: 'Ben Day', picture: 'photo', change: 'new' }])
  const expected = [
    ['Ben Day.jpg', 'new photo of speaker 2'],
    ['small boats.png', 'replaced banner of event 1'],
    ['ana_cruz.photo.jpg', 'new photo of speaker 1'],
    ['3.banner.jpg', 'new banner of event 3'],
    ['Nobody.jpg', 'No session or speaker is called “Nobody”, and no session has this id or guid.'],
  ]
  expect(targetsOf(images)).toEqual(expected)
  expect(await loadAll(t)).toEqual(before)

  const changes = async () => (await t.owner.client.listChanges({ offset: 0, limit: 100 })).changes
  const logged = (await changes()).length
  const files = await Promise.all(names.map((name) => toFile(name)))
  const applied = await editor.applyImagesImport({}, { files })
  expect(targetsOf(applied.images)).toEqual(expected)
  const after = await loadAll(t)
  expect(after.map((etag, at) => etag === before[at])).toEqual([false, true, false, false, false])
  const made = (await changes()).slice(0, -logged)
  expect(made.map(({ kind, record_id }) => `${kind} ${record_id}`).sort()).toEqual([
    'event.drafted 3',
    'event.updated 1',
    'speaker.updated 1',
    'speaker.updated 2',
  ])
  const { revisions } = await editor.listRevisions({ offset: 0, limit: 1 })
  expect(revisions).toMatchObject([
    { id: applied.revision_id, kind: 'import', command: 'import images', file: '', records: 4, is_undoable: true },
  ])

  const again = await editor.applyImagesImport({}, { files })
  expect(again.revision_id).toBeNull()
  expect(new Set(again.images.flatMap(({ targets }) => targets.map(({ change }) => change)))).toEqual(
    new Set(['unchanged']),
  )

  await editor.undoRevision({ id: Number(applied.revision_id) })
  expect(await loadAll(t)).toEqual(before)
  await editor.undoRevision({ id: Number(first.revision_id) })
  expect(await loadAll(t)).toEqual(placeholders)
})

test('what is no image, a link, or the second for one picture is left out with the reason, and the others are attached', async () => {
  await using t = await startWithProgram()
  const { editor } = t
  expect(targetsOf((await editor.planImagesImport({ names: ['2.png', 'Ropes.jpg', '.png'] })).images)).toEqual([
    ['2.png', 'new banner of event 2'],
    ['Ropes.jpg', 'Another file is the banner of session 2 “Ropes”: 2.png.'],
    ['.png', 'The file name has to identify a session or a person.'],
  ])
  const { images, revision_id } = await editor.applyImagesImport(
    { uploaded_files: ['https://cdn.summit.example/Ana%20Cruz.jpg'] },
    { files: [await toFile('Ropes.jpg'), new File(['no image'], '2.png'), await toFile('ropes.png')] },
  )
  expect(targetsOf(images)).toEqual([
    ['Ropes.jpg', 'new banner of event 2'],
    ['2.png', expect.stringContaining('format')],
    ['ropes.png', 'Another file is the banner of session 2 “Ropes”: Ropes.jpg.'],
    ['https://cdn.summit.example/Ana%20Cruz.jpg', expect.any(String)],
  ])
  expect(revision_id).not.toBeNull()
  expect(await make.blobs(t)).toHaveLength(1)
  const none = await editor.applyImagesImport({}, { files: [new File(['no image'], 'Ana Cruz.png')] })
  expect([none.revision_id, none.images[0]?.targets]).toEqual([null, []])
  expect(await editor.applyImagesImport({})).toEqual({ images: [], revision_id: null })
})

test('more files than a request may have are refused', async () => {
  await using t = await startWithProgram({ MAX_FILES: '2' })
  const files = await Promise.all(['1.png', '2.png', 'Ana Cruz.png'].map((name) => toFile(name)))
  await expect(t.editor.applyImagesImport({}, { files })).rejects.toMatchObject({ data: { reason: 'TOO_MANY_FILES' } })
  expect(await make.blobs(t)).toEqual([])
})

import { createImage } from '../../participants/photo-changes.fixtures.ts'
import { startWithEditor } from './import-program.fixtures.ts'

export type World = Awaited<ReturnType<typeof startWithEditor>>

export const toFile = async (name: string, color = '#933') => new File([await createImage(color)], name)

/** Sessions that attendees see, with Ana and Ben as their speakers, and one that they do not. */
export async function startWithProgram(settings: Record<string, string> = {}) {
  const t = await startWithEditor(settings)
  for (const name of ['Ana Cruz', 'Ben Day']) await t.editor.createSpeaker({ name })
  await t.editor.createEvent({ title: 'Small boats', speaker_ids: [1, 2] })
  await t.editor.createEvent({ title: 'Ropes', speaker_ids: [1] })
  await t.editor.publish({})
  await t.editor.createEvent({ title: 'Secret party' })
  return t
}

export const targetsOf = (images: Awaited<ReturnType<World['editor']['planImagesImport']>>['images']) =>
  images.map(({ name, targets, reason }) => [
    name,
    ...targets.map(({ kind, id, picture, change }) => `${change} ${picture} of ${kind} ${id}`),
    ...(reason === null ? [] : [reason]),
  ])

/** The picture that attendees load, or the reason why there is none. */
export async function load(t: World, path: string): Promise<string> {
  const response = await fetch(`${t.url}/api/program/${path}`, { headers: t.ana.headers })
  const type = response.headers.get('content-type') ?? ''
  if (!type.includes('json')) return `${response.headers.get('etag')}`
  const [envelope] = (await response.json()) as [{ data: { reason: string } }]
  return envelope.data.reason
}

export const loadAll = (t: World) =>
  Promise.all(
    ['banner/get/1', 'banner/get/2', 'speakers/1/photo', 'speakers/2/photo', 'photo/get/2'].map((path) =>
      load(t, path),
    ),
  )

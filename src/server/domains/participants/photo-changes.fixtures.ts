import sharp from 'sharp'
import type { TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { ParticipantDetails } from '../../../contract/participants.ts'

/** An image with its own content, and with the place where it was taken. */
export const createImage = async (background = '#369', type: 'png' | 'jpeg' = 'jpeg') => {
  const image = sharp({ create: { width: 800, height: 600, channels: 3, background } })
  return new Blob([
    new Uint8Array(
      await image
        .withExif({ IFD0: { Artist: 'Ana’s phone' } })
        .toFormat(type)
        .toBuffer(),
    ),
  ])
}

/** The form of an app that changes a profile. */
export function profileForm(photo: Blob | readonly Blob[] | string, members: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(members)) form.append(name, value)
  for (const one of [photo].flat())
    if (typeof one === 'string') form.append('photo', one)
    else form.append('photo', one, 'me.jpg')
  return form
}

/** Sends a form. The photo in the response has no media key. */
export const sendTo = async (
  t: Pick<TestApp, 'url'>,
  path: string,
  form: FormData,
  headers: Record<string, string> = {},
) => {
  const { response_code, data, headers: received } = await make.send(t, 'PUT', path, form, headers)
  const { participant, reason, fields } = data as {
    participant?: ParticipantDetails
    reason?: string
    fields?: { field: string; reason: string; message: string }[]
  }
  const photo = participant?.photo.replace(/\?key=.*/, '') ?? ''
  return { code: response_code, participant: { ...participant, photo }, reason, fields, headers: received }
}

export const update = (t: Pick<TestApp, 'url'>, id: number, form: FormData, headers: Record<string, string> = {}) =>
  sendTo(t, `/api/participants/${id}/update`, form, headers)

export const stored = /^api\/participants\/\d+\/photo\/[0-9a-f]{64}-[0-9a-f]{16}\.(?:jpg|png)$/

export const faceOf = async (t: TestApp, created_by: number) =>
  (await make.topic(t, { created_by })).author.photoUrl ?? ''

export const load = async (url: string) => {
  const response = await fetch(url)
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The keys of the photos that are in the store. */
export const photosIn = async (t: TestApp) =>
  (await make.blobs(t))
    .flatMap((path) => path.split('/kept/participants/').slice(1))
    .map((path) => `participants/${path}`)

export const keyOf = ({ photo }: { photo: string }) => photo.replace(/^api\//, '')

/** A topic with an image. @returns the link to the image */
export const postImage = async (t: TestApp, created_by: number) => {
  const form = new FormData()
  form.append('name', 'On stage')
  form.append('created_by', String(created_by))
  form.append('uploaded_files', await createImage('#396', 'png'), 'stage.png')
  const { data } = await make.send(t, 'POST', '/api/newsfeeds/topics/create', form)
  const { id, content } = make.only((data as Awaited<ReturnType<typeof t.client.createTopic>>).NewsFeed)
  return { topic_id: Number(id), link: make.only(content.uploaded_files).link }
}

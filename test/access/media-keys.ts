import { storePhoto } from '../contract/example-app.ts'
import * as make from '../make.ts'
import { type AppWithKeys, type KeyHolder, publicUrl, startAppWithKeys } from './app-with-keys.ts'

const keyInLink = /\?key=(smm_[\w-]{32})/
export const notes = { name: 'notes.txt', data: 'R3LD' }

/** A summit in which a topic has a file, Ana a photo, and the program an event. */
export async function start(access: 'public' | 'members' = 'members') {
  const t = await startAppWithKeys(access)
  const photo = await storePhoto(t, t.ana.participant)
  await t.owner.client.updateParticipant({ participantId: t.ana.participant, photo })
  await make.event(t, { photo: 'program/1/photo.png' })
  await t.ana.client.createTopic({ name: 'Lunch', created_by: t.ana.participant, uploaded_files: [notes] })
  return Object.assign(t, { photo })
}

/** All links that a sender reads: of a file, a photo, a banner and the photo of an event, and the path of the photo. */
export async function linksOf({ client }: Pick<KeyHolder, 'client'>, { ana }: AppWithKeys): Promise<string[]> {
  const topic = make.only((await client.getTopic({ topic_id: 1 })).NewsFeed)
  const event = make.only((await client.listEvents({ offset: 0, limit: 1 })).events)
  const { events } = (await client.getSchedule({})).schedule
  const { participants } = await client.listParticipants({ offset: 0, limit: 10 })
  const path = participants.find(({ id }) => id === String(ana.participant))?.photo
  const file = topic.content.uploaded_files[0]?.link ?? ''
  const eventPhoto = make.only(events).photo_url ?? ''
  return [file, topic.author.photoUrl ?? '', event.imageUrl, eventPhoto, `${publicUrl}/${path}`]
}

/** Loads what a link is to, as an `<img>` does. */
export function load(url: string, link: string, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(link)
  const headers = { accept: 'application/problem+json', ...(init.headers as Record<string, string>) }
  return fetch(url + pathname + search, { ...init, headers })
}

export const keyOf = (link = '') => keyInLink.exec(link)?.[1]

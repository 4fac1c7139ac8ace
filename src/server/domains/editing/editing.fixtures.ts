import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import type { TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import type { Client } from '../../../client/client.ts'
import { listAllEvents } from '../program/events.ts'
import { undoRevision } from '../revisions/undo.ts'

/** An editor and an attendee of a summit. */
export async function startWithEditor() {
  const t = await startAppWithKeys('members')
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  const undo = (revisionId: number) =>
    inCommand(t, (scope) => undoRevision(scope, { revisionId, command: 'test', keepChanged: false }))
  return { ...t, editor, attendee: t.ana.client, undo }
}

/** An event that attendees see. @returns its id */
export async function publishEvent(editor: Client, members: Parameters<Client['createEvent']>[0]): Promise<number> {
  const id = Number((await editor.createEvent(members)).event.id)
  await editor.publish({ events: [id] })
  return id
}

/** The `sequence` of an event, which calendars show. */
export const sequenceOf = async ({ ctx }: Pick<TestApp, 'ctx'>, id: number): Promise<number | undefined> =>
  (await listAllEvents(ctx.database.read)).find((event) => event.id === id)?.sequence

/** Sends an image, or a text, as the picture of a record. @param path below `/api/program/` */
export async function setPicture(
  t: Pick<Awaited<ReturnType<typeof startWithEditor>>, 'url' | 'owner'>,
  path: string,
  photo: Blob | string,
  revision: number,
) {
  const form = new FormData()
  form.append('revision', String(revision))
  if (typeof photo === 'string') form.append('photo', photo)
  else form.append('photo', photo, 'picture.png')
  return make.send(t, 'PUT', `/api/program/${path}`, form, t.owner.headers)
}

import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { inCommand } from '../../../../test/in-command.ts'
import type { Client } from '../../../client/client.ts'
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
export const sequenceOf = async (t: Awaited<ReturnType<typeof startWithEditor>>, id: number): Promise<number> => {
  const events = t.ctx.database.read.selectFrom('event').select('sequence')
  return (await events.where('id', '=', id as never).executeTakeFirstOrThrow()).sequence
}

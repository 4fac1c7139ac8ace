import { startAppWithKeys } from '../../../../../test/access/app-with-keys.ts'
import type { Client } from '../../../../client/client.ts'
import type { Input } from '../../../../contract/index.ts'

/** An editor, and Ana, who attends. */
export async function startWithEditor(settings: Record<string, string> = {}) {
  const t = await startAppWithKeys('members', settings)
  const { client: editor, headers } = await t.issueKey({ roles: ['editor'] })
  const titles = async (client: Client = t.ana.client) =>
    (await client.listEvents({ offset: 0, limit: 1_000 })).events.map(({ title }) => title)
  const drafts = async () => (await editor.getDraft({})).draft.events.map(({ title }) => title)
  return { ...t, editor, headers, titles, drafts }
}

export const toFile = (content: string | Buffer, name = 'program.csv') =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name)

export const plan = async (client: Client, file: File, options: Input<'planImport'> = {}) =>
  (await client.planImport(options, { file })).plan

/** Plans a file, and applies the plan. */
export async function apply(client: Client, file: File, options: Omit<Input<'applyImport'>, 'hash'> = {}) {
  const { only: _, replace: __, ...ofPlan } = options
  const { hash } = await plan(client, file, ofPlan)
  return client.applyImport({ ...options, hash }, { file })
}

const header = 'id,title,start,end,room,track,speaker,abstract'

export const csv = (...rows: string[]) => toFile([header, ...rows].join('\n'))

export const opening = 'a,Opening,2030-05-02 09:00,2030-05-02 10:00,Hall,Main,Ana Cruz,Welcome'

export const boats = 'b,Boats,2030-05-02 11:00,2030-05-02 12:00,Pier,Water,Ben Day,All about boats'

export const closing = 'c,Closing,2030-05-03 17:00,2030-05-03 18:00,Hall,Main,Ana Cruz,Bye'

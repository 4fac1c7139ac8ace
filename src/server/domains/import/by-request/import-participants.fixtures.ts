import { startAppWithKeys } from '../../../../../test/access/app-with-keys.ts'
import type { Client } from '../../../../client/client.ts'
import type { Input } from '../../../../contract/index.ts'

export const toFile = (...rows: string[]) => new File([['email,name,badge,Diet', ...rows].join('\n')], 'people.csv')

export const eva = 'eva@summit.example,Eva Fox,E7,vegan'

export const gil = 'gil@summit.example,Gil Hay,E8,'

export async function startWithDesk() {
  const t = await startAppWithKeys('members')
  const { client: desk } = await t.issueKey({ roles: ['desk'] })
  const names = async () =>
    (await desk.listParticipants({ offset: 0, limit: 100 })).participants.map(({ full_name }) => full_name)
  return { ...t, desk, names }
}

export async function apply(client: Client, file: File, options: Omit<Input<'applyParticipantsImport'>, 'hash'> = {}) {
  const { only: _, ...ofPlan } = options
  const { hash } = (await client.planParticipantsImport(ofPlan, { file })).plan
  return client.applyParticipantsImport({ ...options, hash }, { file })
}

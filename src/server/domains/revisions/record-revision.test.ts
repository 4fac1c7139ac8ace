import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { EventId } from '../../core/ids.ts'
import { commandScope } from '../../scope.ts'
import { updateEvent } from '../program/events.ts'
import { recordRevision } from './record-revision.ts'

test('an import that corrects one of many sessions reads only that one while other writes wait', async () => {
  await using t = await startTestApp()
  for (let at = 0; at < 20; at++) await make.event(t)
  const titles: unknown[] = []
  const observer: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      titles.push(...result.rows.flatMap((row) => row.title ?? []))
      return result
    },
  }
  await t.ctx.database.transaction((tx) => {
    const scope = commandScope(t.ctx, tx.withPlugin(observer), 'import')
    const id = 7 as EventId
    const write = async () => {
      await updateEvent(scope, id, { title: 'Closing' })
      return id
    }
    return recordRevision(scope, { kind: 'import', command: 'import program', file: 'p.csv' }, [
      { kind: 'event', id, write },
    ])
  })
  expect(titles).toEqual(['Opening', 'Closing'])
})

import { expect, test } from 'vitest'
import { backupIdPattern, newBackupId } from './object-names.ts'

test('the ids of backups sort by time, also within a second, and two of one millisecond differ', () => {
  const second = Date.parse('2030-05-01T09:00:00Z')
  const ids = [0, 1, 9, 10, 15, 16, 99, 100, 255, 256, 999, 1_000].map((ms) => newBackupId(second + ms))
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(new RegExp(`^${backupIdPattern}$`))
  expect(ids[0]).toMatch(/^20300501t090000z-000/)
  expect(newBackupId(second)).not.toBe(newBackupId(second))
})

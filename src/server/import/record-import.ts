import type { WriteScope } from '../scope.ts'
import { insertRecords, insertRun } from './import-store.ts'
import { loadStates, type RecordKind } from './record-states.ts'

/** An import as it is listed later. */
export interface ImportedFile {
  /** As typed: `import program`. */
  command: string
  /** The name of the file or folder. */
  file: string
}

/**
 * Runs the writes of an import and records what they change, in the transaction of `scope`.
 * @param records the records that it may write: all of a kind, or some of them
 * @param importId of an import in several transactions, after the first of them
 * @returns the id of the import; undefined if it has changed nothing
 */
export async function recordImport(
  scope: WriteScope,
  { command, file }: ImportedFile,
  { kind, ids }: { kind: RecordKind; ids?: readonly number[] },
  work: () => Promise<unknown>,
  importId?: number,
): Promise<number | undefined> {
  const before = await loadStates(scope.db, kind, ids)
  await work()
  const after = await loadStates(scope.db, kind, ids)
  const changed = [...after].filter(([id, state]) => before.get(id) !== state)
  if (changed.length === 0) return importId
  const import_id = importId ?? (await insertRun(scope.db, { at: scope.now, command, file }))
  await insertRecords(
    scope.db,
    changed.map(([record_id, state]) => ({
      import_id,
      kind,
      record_id,
      before: before.get(record_id) ?? '',
      after: state,
    })),
  )
  return import_id
}

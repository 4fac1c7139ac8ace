import type { WriteScope } from '../../../scope.ts'
import { insertRecords, insertRun } from './import-store.ts'
import { type ImportedKind, loadStates } from './record-states.ts'

/** An import as it is listed later. */
export interface ImportedFile {
  /** As typed: `import program`. */
  command: string
  /** The name of the file or folder. */
  file: string
}

/** A write of an import, to one record. */
export interface RecordWrite {
  /** The stored record; undefined if the write creates one. */
  id: number | undefined
  /** @returns the id of the record */
  write(): Promise<number>
}

interface RecordingOptions {
  /** Called after each write. */
  onProgress?: (done: number, all: number) => void
  /** Of an import in several transactions, after the first of them. */
  importId?: number | undefined
}

/**
 * Runs the writes of an import and records what they change, in the transaction of `scope`.
 * @returns the id of the import; undefined if it has changed nothing
 */
export async function recordImport(
  scope: WriteScope,
  { command, file }: ImportedFile,
  kind: ImportedKind,
  writes: readonly RecordWrite[],
  { onProgress, importId }: RecordingOptions = {},
): Promise<number | undefined> {
  // Loads only the records that are written, as other writes wait meanwhile, and a summit may have thousands.
  const before = await loadStates(
    scope.db,
    kind,
    writes.flatMap(({ id }) => id ?? []),
  )
  const ids: number[] = []
  for (const { write } of writes) {
    ids.push(await write())
    onProgress?.(ids.length, writes.length)
  }
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

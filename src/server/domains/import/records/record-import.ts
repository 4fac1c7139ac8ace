import type { WriteScope } from '../../../scope.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { insertRecords, insertRun } from './import-store.ts'
import { type ImportedKind, loadStates, type RecordStates } from './record-states.ts'

/** An import as it is listed later. */
export interface ImportedFile {
  /** As typed: `import program`. */
  command: string
  /** The name of the file or folder. */
  file: string
}

/** A write of an import, to one record. */
export interface RecordWrite {
  kind: ImportedKind
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
  writes: readonly RecordWrite[],
  { onProgress, importId }: RecordingOptions = {},
): Promise<number | undefined> {
  // Loads only the records that are written, as other writes wait meanwhile, and a summit may have thousands.
  const before = await loadAll(
    scope.db,
    writes.flatMap(({ kind, id }) => (id === undefined ? [] : { kind, id })),
  )
  const written: RecordId[] = []
  for (const { kind, write } of writes) {
    written.push({ kind, id: await write() })
    onProgress?.(written.length, writes.length)
  }
  const after = await loadAll(scope.db, written)
  const records = [...after].flatMap(([kind, states]) =>
    [...states].map(([record_id, state]) => ({
      kind,
      record_id,
      before: before.get(kind)?.get(record_id) ?? '',
      after: state,
    })),
  )
  const changed = records.filter((record) => record.before !== record.after)
  if (changed.length === 0) return importId
  const import_id = importId ?? (await insertRun(scope.db, { at: scope.now, command, file }))
  await insertRecords(
    scope.db,
    changed.map((record) => ({ import_id, ...record })),
  )
  return import_id
}

interface RecordId {
  kind: ImportedKind
  id: number
}

/** The states of records, by kind and id. */
async function loadAll(db: Db, records: readonly RecordId[]): Promise<Map<ImportedKind, RecordStates>> {
  const states = new Map<ImportedKind, RecordStates>()
  for (const [kind, ofKind] of Map.groupBy(records, (record) => record.kind))
    states.set(
      kind,
      await loadStates(
        db,
        kind,
        ofKind.map(({ id }) => id),
      ),
    )
  return states
}

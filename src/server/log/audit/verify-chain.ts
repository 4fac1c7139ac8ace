import type { HmacKey } from '../../core/hmac-key.ts'
import type { Progress } from '../../core/progress.ts'
import { type Db, emptyLog, type LogHead, type Row } from '../../storage/db/tables.ts'
import { hashOfChange, olderHashOfChange } from '../changes/log.ts'
import { countChanges, countImpossible, describeImpossible, readChanges } from '../changes/read-log.ts'

/** A head of the log that was recorded outside the database. */
export interface RecordedHead extends LogHead {
  /** Where it is recorded, for the operator. */
  source: string
  /** When it was recorded, in milliseconds since 1970. */
  at: number
}

/** The outcome of verifying the chain of the log. */
export interface ChainReport {
  /** Changes whose hash is right. */
  verified: number
  /** Changes from before the chain begins, which have no hash. */
  unsealed: number
  /** A sentence for each place where the chain breaks. */
  breaks: string[]
  head: LogHead
}

interface ChainState extends ChainReport {
  /** Whether every change so far was sealed by an older Summit, or not at all. */
  mayBeOlder: boolean
}

/** Whether a change is sealed with this key, by any version. @param before the change before it, if any */
export const isSealedWith = (key: HmacKey, change: Row<'change'>, { hash }: LogHead = emptyLog): boolean =>
  change.hash === hashOfChange(key, hash, change) || change.hash === olderHashOfChange(key, hash, change)

/** Whether a restore excuses that the log lacks a head: a restored backup lacks the changes that came after it was made. */
const isReplaced = ({ id, at }: RecordedHead, restore: Row<'change'>): boolean => id >= restore.id && at <= restore.at

/**
 * Reads the whole log, and compares every hash.
 * @param recorded heads that the log must contain; without them, changes that were removed at its end do not show
 */
export async function verifyChain(
  db: Db,
  key: HmacKey,
  recorded: readonly RecordedHead[],
  progress: Progress,
): Promise<ChainReport> {
  const report: ChainState = { verified: 0, unsealed: 0, breaks: [], head: emptyLog, mayBeOlder: true }
  const impossible = await countImpossible(db)
  if (impossible > 0) report.breaks.push(`Inserted or altered: ${describeImpossible(impossible)}.`)
  const restores: Row<'change'>[] = []
  const hashes = new Map<number, string | undefined>(recorded.map(({ id }) => [id, undefined]))
  await progress('Verifying the change log', await countChanges(db), async (onProgress) => {
    for await (const changes of readChanges(db)) {
      for (const change of changes) {
        checkChange(report, key, change)
        if (hashes.has(change.id)) hashes.set(change.id, change.hash)
        if (change.kind === 'summit.restored') restores.push(change)
        report.head = { id: change.id, hash: change.hash }
      }
      onProgress(changes.length)
    }
  })
  for (const head of recorded)
    if (head.id > 0 && hashes.get(head.id) !== head.hash && !restores.some((restore) => isReplaced(head, restore)))
      report.breaks.push(describeMismatch(head, hashes.get(head.id)))
  return report
}

const describeMismatch = ({ id, source }: RecordedHead, found: string | undefined): string =>
  found === undefined
    ? `Change ${id} is missing, which ${source} recorded: changes were removed at the end of the log.`
    : `Change ${id} is not the one that ${source} recorded: changes were removed at the end of the log, and others appended.`

/** Compares a change with the one before it, the head of the report. */
function checkChange(report: ChainState, key: HmacKey, change: Row<'change'>): void {
  const { id, hash } = change
  const { head } = report
  const isChained = head.hash !== ''
  if (hash === '') {
    if (isChained) report.breaks.push(`Change ${id} has no hash: it was inserted or altered.`)
    else report.unsealed++
  } else if (isChained && id !== head.id + 1)
    report.breaks.push(`Changes after ${head.id} and before ${id} are missing.`)
  else if (hash === hashOfChange(key, head.hash, change)) {
    report.verified++
    // The change itself records where the newer hashes begin: without the key, nobody can move that place.
    report.mayBeOlder = false
  } else if (report.mayBeOlder && hash === olderHashOfChange(key, head.hash, change)) report.verified++
  else
    report.breaks.push(
      `Change ${id} does not match its hash: it was altered or inserted, the change before it was removed, or another key sealed it.`,
    )
}

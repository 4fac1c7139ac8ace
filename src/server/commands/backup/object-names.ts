import { randomBytes } from 'node:crypto'

/** The id of a backup: when it was made, to the second, and the digits that {@link newBackupId} adds. */
export const backupIdPattern = '[0-9]{8}t[0-9]{6}z-[0-9a-f]{8}'

/**
 * An id that is unique and sorts after that of any backup before. The time to the second is followed by its milliseconds
 * as three hex digits, and by five random ones.
 */
export function newBackupId(now: number): string {
  const time = new Date(now)
  const second = time.toISOString().slice(0, 19).replace(/[-:]/g, '').toLowerCase()
  const millisecond = time.getUTCMilliseconds().toString(16).padStart(3, '0')
  return `${second}z-${millisecond}${randomBytes(3).toString('hex').slice(1)}`
}

/** An object with a part of a database. */
export const databaseObjectPattern = `${backupIdPattern}/summit\\.db(\\.[0-9]{4,})?`

/** An object with the ledger: the number of its entries, and a random part. */
const ledgerObjectPattern = 'ledger/[0-9]{8,}-[0-9a-f]{8}\\.json'

export const isLedgerObject = (name: string): boolean => new RegExp(`^${ledgerObjectPattern}$`).test(name)

const ownObject = new RegExp(
  `^(${backupIdPattern}/(manifest|damaged)\\.json|${databaseObjectPattern}|files/[0-9a-f]{2}/[0-9a-f]{64}|${ledgerObjectPattern})$`,
)

/** Whether an object is one of ours: the location may have files of others, which must stay. */
export const isOwnObject = (name: string): boolean => ownObject.test(name)

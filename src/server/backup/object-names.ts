/** The id of a backup: when it was made, and a random part. */
export const backupIdPattern = '[0-9]{8}t[0-9]{6}z-[0-9a-f]{8}'

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

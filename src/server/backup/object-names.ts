/** The id of a backup: when it was made, and a random part. */
export const backupIdPattern = '[0-9]{8}t[0-9]{6}z-[0-9a-f]{8}'

/** An object with a part of a database. */
export const databaseObjectPattern = `${backupIdPattern}/summit\\.db(\\.[0-9]{4,})?`

const ownObject = new RegExp(
  `^(${backupIdPattern}/(manifest|damaged)\\.json|${databaseObjectPattern}|files/[0-9a-f]{2}/[0-9a-f]{64})$`,
)

/** Whether an object is one of ours: the location may have files of others, which must stay. */
export const isOwnObject = (name: string): boolean => ownObject.test(name)

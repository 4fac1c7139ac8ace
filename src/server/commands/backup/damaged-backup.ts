/** A backup cannot be used as it is stored. The message is a clause that names the object. */
export class DamagedBackup extends Error {
  override readonly name: string = 'DamagedBackup'
}

/** An object cannot be decrypted with `BACKUP_KEY`, which may be another key than the one that encrypted it. */
export class KeyMismatch extends DamagedBackup {
  override readonly name = 'KeyMismatch'
}

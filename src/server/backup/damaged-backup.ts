/** A backup cannot be used as it is stored. The message is a clause that names the object. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup'
}

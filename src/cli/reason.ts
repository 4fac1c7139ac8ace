/** What the system's codes say of a file or folder, to go after "Cannot read …:". */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENOENT: 'it is not there',
  ENOTDIR: 'it, or what it should be in, is not a folder',
  ENOSPC: 'the disk is full',
}

/** Why the system failed us, without a full stop. @param others what codes say here, before what they usually say */
export function reasonOf(error: unknown, others: Readonly<Record<string, string>> = {}): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return others[code] ?? reasons[code] ?? error.message
}

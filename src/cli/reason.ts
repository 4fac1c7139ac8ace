/** Explanations of system error codes for a file or folder, to follow "Cannot read …:". */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  ENOENT: 'it does not exist',
  ENOTDIR: 'it or one of its parents is not a folder',
  ENOSPC: 'the disk is full',
}

/** Describes a system error, without a full stop. @param others meanings of codes that take precedence here */
export function reasonOf(error: unknown, others: Readonly<Record<string, string>> = {}): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return others[code] ?? reasons[code] ?? error.message
}

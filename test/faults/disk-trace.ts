/** A change of a file or folder, in the order in which the changes took effect. Paths are absolute. */
export type DiskChange =
  | { kind: 'create' | 'make folder' | 'remove' | 'sync'; path: string }
  | { kind: 'write'; path: string; at: number; bytes: Buffer }
  | { kind: 'truncate'; path: string; size: number }
  | { kind: 'rename' | 'link'; path: string; to: string }

/** The length of `struct record` in `faulty-disk.c`. */
const headBytes = 24

/** Reads what `FaultyDisk` has recorded. @returns each change with the size of the record up to its end */
export function readDiskTrace(record: Buffer): { change: DiskChange; end: number }[] {
  const changes: { change: DiskChange; end: number }[] = []
  for (let at = 0; at < record.length; ) {
    const kind = String.fromCharCode(record.readInt32LE(at))
    const [path, other, bytes] = [4, 8, 12].map((offset) => record.readInt32LE(at + offset)) as [number, number, number]
    const place = Number(record.readBigInt64LE(at + 16))
    const start = at + headBytes
    const end = start + path + other + bytes
    changes.push({
      change: toChange(kind, {
        path: record.toString('utf8', start, start + path),
        to: record.toString('utf8', start + path, start + path + other),
        place,
        bytes: record.subarray(end - bytes, end),
      }),
      end,
    })
    at = end
  }
  return changes
}

function toChange(
  kind: string,
  { path, to, place, bytes }: { path: string; to: string; place: number; bytes: Buffer },
): DiskChange {
  switch (kind) {
    case 'C':
      return { kind: 'create', path }
    case 'M':
      return { kind: 'make folder', path }
    case 'U':
      return { kind: 'remove', path }
    case 'S':
      return { kind: 'sync', path }
    case 'W':
      return { kind: 'write', path, at: place, bytes }
    case 'T':
      return { kind: 'truncate', path, size: place }
    case 'R':
      return { kind: 'rename', path, to }
    case 'L':
      return { kind: 'link', path, to }
    default:
      throw new Error(`unknown change ${kind}`)
  }
}

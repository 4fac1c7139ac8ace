import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { DiskChange } from './disk-trace.ts'
import type { Random } from './random.ts'

/** A change of a file's content that was not synced yet. */
type Pending = { at: number; bytes: Buffer } | { size: number }

/** A change of a folder's entries that was not synced yet. */
type PendingEntry = { path: string; node: Node | undefined; from?: string }

type Node = StoredFile | 'folder'

/** The content of a file, whichever name it has. */
class StoredFile {
  #synced = Buffer.alloc(0)
  #pending: Pending[] = []

  change(change: Pending): void {
    this.#pending.push(change)
  }

  sync(): void {
    this.#synced = applyTo(this.#synced, this.#pending)
    this.#pending = []
  }

  /** Everything that was written. */
  content(): Buffer {
    return applyTo(this.#synced, this.#pending)
  }

  /** The content that a power cut leaves: all that was synced, and of the rest any changes, in part. */
  contentAfterPowerCut(random: Random): Buffer {
    if (this.#pending.length === 0) return this.#synced
    const share = random.pick([0, 0, 0.2, 0.5, 0.8, 1]) ?? 0
    const block = random.pick([512, 4096]) ?? 512
    return applyTo(
      this.#synced,
      this.#pending.filter(() => random.chance(share)).flatMap((change) => tear(change, block, random)),
    )
  }
}

function applyTo(content: Buffer<ArrayBuffer>, changes: Pending[]): Buffer<ArrayBuffer> {
  if (changes.length === 0) return content
  let size = content.length
  for (const change of changes) size = Math.max(size, 'size' in change ? change.size : change.at + change.bytes.length)
  const changed = Buffer.alloc(size)
  let end = content.copy(changed)
  for (const change of changes) {
    if ('size' in change) {
      // What is cut off reads as zeros if the file grows again.
      changed.fill(0, change.size)
      end = change.size
    } else {
      change.bytes.copy(changed, change.at)
      end = Math.max(end, change.at + change.bytes.length)
    }
  }
  return changed.subarray(0, end)
}

/** Half of the writes whole; of the others the blocks that happened to be written. */
function tear(change: Pending, block: number, random: Random): Pending[] {
  if ('size' in change || random.chance(0.5)) return [change]
  const { at, bytes } = change
  const parts: Pending[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, (Math.floor((at + start) / block) + 1) * block - at)
    if (random.chance(0.5)) parts.push({ at: at + start, bytes: bytes.subarray(start, end) })
    start = end
  }
  return parts
}

/**
 * The files of a folder as the changes of a trace leave them: as written, and as a power cut may leave them. What was
 * synced is there. Of the rest, a file has any of its changes, in part, and a folder the first of its new, renamed and
 * removed entries. To sync a file does not sync its entry.
 */
export class SimulatedDisk {
  readonly #root: string
  /** As the process sees them. */
  readonly #nodes = new Map<string, Node>()
  readonly #synced = new Map<string, Node>()
  readonly #pending = new Map<string, PendingEntry[]>()

  /** @param root which exists */
  constructor(root: string) {
    this.#root = root
    this.#nodes.set(root, 'folder')
  }

  apply(change: DiskChange): void {
    const { path } = change
    const node = this.#nodes.get(path)
    switch (change.kind) {
      case 'create':
        this.#setEntry({ path, node: new StoredFile() })
        break
      case 'make folder':
        this.#setEntry({ path, node: 'folder' })
        break
      case 'remove':
        this.#setEntry({ path, node: undefined })
        break
      case 'link':
        this.#setEntry({ path: change.to, node })
        break
      case 'rename':
        this.#setEntry({ path: change.to, node, from: path })
        break
      case 'sync':
        if (node === 'folder') this.#syncEntries(path)
        else node?.sync()
        break
      default:
        // A file that was removed while it was open has no node.
        if (node !== 'folder') node?.change(change)
    }
  }

  /** Everything that was written, by relative path. */
  files(): Map<string, Buffer> {
    return this.#contentOf(this.#nodes, (file) => file.content())
  }

  /** The files that a power cut leaves, by relative path. */
  filesAfterPowerCut(random: Random): Map<string, Buffer> {
    const entries = new Map(this.#synced)
    for (const pending of this.#pending.values())
      for (const entry of pending.slice(0, random.int(0, pending.length))) applyEntry(entries, entry)
    const isReachable = (path: string): boolean =>
      path === this.#root || (entries.has(path) && isReachable(dirname(path)))
    const reachable = new Map([...entries].filter(([path]) => isReachable(path)))
    return this.#contentOf(reachable, (file) => file.contentAfterPowerCut(random))
  }

  #setEntry(entry: PendingEntry): void {
    applyEntry(this.#nodes, entry)
    const folder = dirname(entry.path)
    const pending = this.#pending.get(folder)
    if (pending) pending.push(entry)
    else this.#pending.set(folder, [entry])
  }

  #syncEntries(folder: string): void {
    for (const entry of this.#pending.get(folder) ?? []) applyEntry(this.#synced, entry)
    this.#pending.delete(folder)
  }

  #contentOf(nodes: Map<string, Node>, read: (file: StoredFile) => Buffer): Map<string, Buffer> {
    const files = new Map<string, Buffer>()
    for (const [path, node] of nodes) if (node !== 'folder') files.set(relative(this.#root, path), read(node))
    return files
  }
}

function applyEntry(entries: Map<string, Node>, { path, node, from }: PendingEntry): void {
  if (from !== undefined) entries.delete(from)
  if (node === undefined) entries.delete(path)
  else entries.set(path, node)
}

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Map<string, Buffer>): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

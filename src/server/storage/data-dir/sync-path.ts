import { open } from 'node:fs/promises'

/** Makes the content of a file durable, or the names in a folder. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path)
  await handle.sync()
}

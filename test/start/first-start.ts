import { createDataFolder } from '../faults/create-data-folder.ts'
import { launchServer } from '../faults/server-process.ts'
import { waitUntil } from '../wait-until.ts'

/** Starts a server on a new folder. @returns its output until it is ready, and the number of topics */
export async function runFirstStart(settings: Record<string, string>, options: string[]) {
  await using folder = await createDataFolder()
  await using server = launchServer(folder.dir, settings, { options })
  await waitUntil('the server is ready', () => server.stdout().includes('access'))
  await server.kill('SIGTERM')
  const [row] = await folder.read((rows) => rows('select count(*) as topics from topic'))
  return { output: server.stdout(), topics: Number(row?.topics) }
}

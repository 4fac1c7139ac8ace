import { readdir, readlink } from 'node:fs/promises'

const readLinks = async (paths: string[]): Promise<string[]> =>
  // A process may have ended meanwhile, or belong to another user.
  Promise.all(paths.map((path) => readlink(path).catch(() => '')))

/** The ids of the processes that work in a folder or below it; Linux lists them. */
export async function processesIn(dir: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await readLinks(ids.map((id) => `/proc/${id}/cwd`))
  return ids.filter((_, index) => folders[index]?.startsWith(dir))
}

/** The numbers of the sockets that a process has open. */
export async function socketsOf(pid: string): Promise<string[]> {
  const files = await readdir(`/proc/${pid}/fd`)
  const links = await readLinks(files.map((file) => `/proc/${pid}/fd/${file}`))
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
}

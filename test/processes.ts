import { readdir, readFile } from 'node:fs/promises'

/** The ids of the processes that were started with these settings; Linux lists them. */
export async function processesWith(settings: Record<string, string>): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  // A process may have ended meanwhile, or belong to another user.
  const environments = await Promise.all(ids.map((id) => readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')))
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return ids.filter((_, index) => {
    const environment = environments[index]?.split('\0') ?? []
    return lines.every((line) => environment.includes(line))
  })
}

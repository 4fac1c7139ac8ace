import { readFile } from 'node:fs/promises'

/** The processes that a process has spawned, oldest first (Linux). */
export const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)

/**
 * The workers of a server, oldest first. A server that has just started has another child, which draws a picture.
 * @throws Error if it has none
 */
export async function workersOf({ pid }: { pid: number }): Promise<[number, ...number[]]> {
  const children = await childrenOf(pid)
  const commands = await Promise.all(children.map(commandOf))
  const [oldest, ...others] = children.filter((_, index) => commands[index]?.includes('/workers/main.'))
  if (oldest === undefined) throw new Error(`process ${pid} has no worker`)
  return [oldest, ...others]
}

/** Empty once the process has exited. */
const commandOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { installed } from '../installed.ts'
import { until } from './until.ts'

/** What we tell operators to use, and what `compose.yaml` does. */
const published = join(import.meta.dirname, '../../deploy/nginx.conf')

const program = installed('nginx')

/** Why there can be no nginx to test with, or undefined when there can. */
export const nginxMissing: string | undefined = program
  ? undefined
  : 'nginx not installed (Debian: apt-get install nginx-light)'

export interface Nginx extends AsyncDisposable {
  url: string
}

/**
 * Starts nginx with the published configuration in front of two Summits.
 * @param dir for its own files
 * @param ports of the Summits, on 127.0.0.1
 */
export async function startNginx(dir: string, ports: readonly [number, number]): Promise<Nginx> {
  if (!program) throw new Error(nginxMissing)
  const port = await freePort()
  const conf = join(dir, 'nginx.conf')
  const text = (await readFile(published, 'utf8'))
    .replace('172.30.7.11:3000', `127.0.0.1:${ports[0]}`)
    .replace('172.30.7.12:3000', `127.0.0.1:${ports[1]}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('/tmp/', `${dir}/`)
  await writeFile(conf, text)
  // Started by root, its workers would be somebody who may not enter our folder.
  const globals = `daemon off;${process.getuid?.() === 0 ? ' user root;' : ''}`
  const child = spawn(program, ['-e', 'stderr', '-c', conf, '-g', globals], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await until('nginx answers', async () => (await fetch(url).catch(() => undefined)) !== undefined, 5_000)
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

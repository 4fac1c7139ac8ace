import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { installed } from '../installed.ts'
import { until } from './until.ts'

const deploy = join(import.meta.dirname, '../../deploy')

const program = installed('nginx')

/** Why there can be no nginx to test with, or undefined when there can. */
export const nginxMissing: string | undefined = program
  ? undefined
  : 'nginx not installed (Debian: apt-get install nginx-light)'

export interface Nginx extends AsyncDisposable {
  url: string
}

/**
 * Starts nginx with the published configuration in front of two Summits, as `compose.yaml` does.
 * @param dir for its own files
 * @param ports of the Summits, on 127.0.0.1
 */
export async function startNginx(dir: string, ports: readonly [number, number]): Promise<Nginx> {
  const published = await readFile(join(deploy, 'nginx.conf'), 'utf8')
  const here = published
    .replace('172.30.7.11:3000', `127.0.0.1:${ports[0]}`)
    .replace('172.30.7.12:3000', `127.0.0.1:${ports[1]}`)
  return run(dir, here, 'listen 8080')
}

/** The same with the configuration for a host, which its own nginx.conf includes, in front of one Summit. */
export async function startHostNginx(dir: string, port: number): Promise<Nginx> {
  const [published, other] = await Promise.all(
    ['nginx-host.conf', 'nginx.conf'].map((file) => readFile(join(deploy, file), 'utf8')),
  )
  const [frame] = other?.split('  upstream') ?? []
  const here = published?.replace('127.0.0.1:3000', `127.0.0.1:${port}`)
  return run(dir, `${frame}${here}}`, 'listen 127.0.0.1:8080')
}

async function run(dir: string, text: string, listens: string): Promise<Nginx> {
  if (!program) throw new Error(nginxMissing)
  const port = await freePort()
  const conf = join(dir, 'nginx.conf')
  await writeFile(conf, text.replace(listens, `listen 127.0.0.1:${port}`).replaceAll('/tmp/', `${dir}/`))
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

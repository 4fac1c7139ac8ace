import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '../find-program.ts'
import { freePort } from '../free-port.ts'
import { waitUntil } from '../wait-until.ts'
import type { ReverseProxy } from './reverse-proxy.ts'

const deploy = join(import.meta.dirname, '../../deploy')

const program = findProgram('nginx')

/** Why nginx is unavailable, or undefined. */
export const nginxMissing: string | undefined = program
  ? undefined
  : 'nginx not installed (Debian: apt-get install nginx-light)'

/**
 * Starts nginx with the published configuration in front of two servers, as `compose.cluster.yaml` does.
 * @param dir for its own files
 * @param ports of the servers, on 127.0.0.1
 */
export async function startNginx(dir: string, ports: readonly [number, number]): Promise<ReverseProxy> {
  const published = await readFile(join(deploy, 'nginx.conf'), 'utf8')
  const adapted = published
    .replace('172.30.7.11:3000', `127.0.0.1:${ports[0]}`)
    .replace('172.30.7.12:3000', `127.0.0.1:${ports[1]}`)
    // The gateway.
    .replaceAll(/\b172\.30\.7\.1\b/g, '127.0.0.1')
  return run(dir, adapted, 'listen 8080')
}

/**
 * Starts nginx with the published configuration for a host, in front of one server, and with the compression that
 * distributions switch on.
 * @param below the path of the base URL, as docs/operate/internet.md has it
 */
export async function startHostNginx(dir: string, port: number, below = ''): Promise<ReverseProxy> {
  const [published, other] = await Promise.all(
    ['nginx-host.conf', 'nginx.conf'].map((file) => readFile(join(deploy, file), 'utf8')),
  )
  const [header] = other?.split('  upstream') ?? []
  let adapted = published?.replace('127.0.0.1:3000', `127.0.0.1:${port}`)
  if (below !== '')
    adapted = adapted?.replace(
      /( location ~ \^)(.*)/,
      `location = ${below} { return 301 ${below}/; }\n$1${below}$2\nrewrite ^${below}(/.*) $$1 break;`,
    )
  return run(dir, `${header}gzip on;\n${adapted}}`, 'listen 127.0.0.1:8080')
}

async function run(dir: string, text: string, listen: string): Promise<ReverseProxy> {
  if (!program) throw new Error(nginxMissing)
  const port = await freePort()
  const conf = join(dir, 'nginx.conf')
  const [accessLog, errorLog] = [join(dir, 'access.log'), join(dir, 'error.log')]
  const adapted = text
    .replace(listen, `listen 127.0.0.1:${port}`)
    // A busy machine sends requests more slowly than the published rates allow.
    .replaceAll(/rate=(\d+)r\/s/g, 'rate=$1r/m')
    .replaceAll('/tmp/', `${dir}/`)
    .replace(/access_log \S+/g, `access_log ${accessLog}`)
    .replaceAll(/error_log \S+/g, `error_log ${errorLog}`)
  await writeFile(conf, adapted)
  // By default, the workers of a master that runs as root could not read the folder.
  const globals = `daemon off;${process.getuid?.() === 0 ? ' user root;' : ''}`
  const child = spawn(program, ['-e', errorLog, '-c', conf, '-g', globals], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await waitUntil('nginx responds', async () => (await fetch(url).catch(() => undefined)) !== undefined)
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    const [access = '', errors = ''] = await Promise.all([accessLog, errorLog].map((file) => readFile(file, 'utf8')))
    return { access, errors }
  }
  return { url, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

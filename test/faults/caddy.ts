import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '../find-program.ts'
import { freePort } from '../free-port.ts'
import { waitUntil } from '../wait-until.ts'
import type { ReverseProxy } from './reverse-proxy.ts'

const program = findProgram('caddy')

/** Why Caddy is unavailable, or undefined. */
export const caddyMissing: string | undefined = program
  ? undefined
  : 'caddy not installed (Debian: apt-get install caddy)'

/**
 * Starts Caddy with the published configuration in front of one server, without TLS.
 * @param dir for its own files
 * @param port of the server, on 127.0.0.1
 * @param below the path of the base URL, as docs/operate/internet.md has it
 */
export async function startCaddy(dir: string, port: number, below = ''): Promise<ReverseProxy> {
  if (!program) throw new Error(caddyMissing)
  const published = await readFile(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8')
  const url = `http://127.0.0.1:${await freePort()}`
  const [config, accessLog] = [join(dir, 'Caddyfile'), join(dir, 'access.log')]
  const adapted = published
    .replace('summit.example {', `${url}, ${url.replace('127.0.0.1', 'localhost')} {`)
    .replace('@public path_regexp ^', `@public path_regexp ^${below}`)
    .replace('reverse_proxy', below === '' ? 'reverse_proxy' : `uri strip_prefix ${below}\n\t\treverse_proxy`)
    .replace('handle @public', below === '' ? 'handle @public' : `redir ${below} ${below}/\n\thandle @public`)
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('/var/log/caddy/summit.access.log', accessLog)
    // Its interface for administrators has a fixed port.
    .replace('\n{\n', '\n{\n\tadmin off\n')
  await writeFile(config, adapted)
  const env = { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
  const child = spawn(program, ['run', '--adapter', 'caddyfile', '--config', config], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const closed = once(child, 'close')
  await waitUntil('Caddy responds', async () => (await fetch(url).catch(() => undefined)) !== undefined)
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
    return { access: await readFile(accessLog, 'utf8'), errors }
  }
  return { url, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

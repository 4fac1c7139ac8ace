import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'

const files = {
  'style.css': new URL('assets/style.css', import.meta.url),
  'sign-in.js': new URL('assets/sign-in.js', import.meta.url),
  'passkeys.js': new URL('assets/passkeys.js', import.meta.url),
}

/** The scripts and styles of the pages. */
export type AssetName = keyof typeof files

const mediaTypes: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript' }

export async function mountAssets(app: FastifyInstance): Promise<void> {
  for (const [name, file] of Object.entries(files)) {
    const content = await readFile(file)
    const headers = {
      'content-type': `${mediaTypes[extname(name)]}; charset=utf-8`,
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
    }
    app.get(`/pages/${name}`, (_request, reply) => reply.headers(headers).send(content))
  }
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { immutable } from '../../core/cache-control.ts'
import { hasCode } from '../../core/errors.ts'

/** Built from `src/web` by `scripts/build-web.ts`. */
const files = {
  'style.css': new URL('../../../web/built/style.css', import.meta.url),
  'attendee.js': new URL('../../../web/built/attendee.js', import.meta.url),
  'account.js': new URL('../../../web/built/account.js', import.meta.url),
  'console.css': new URL('../../../web/built/console.css', import.meta.url),
  'console.js': new URL('../../../web/built/console.js', import.meta.url),
}

/** The styles and scripts of the pages. */
export type AssetName = keyof typeof files

/** Where an asset is, below the base URL. It changes with the content of any of them. */
export type AssetPath = (name: AssetName) => string

/** The folder to which the policy of pages restricts scripts and styles. Nothing that somebody uploads is there. */
export const assetFolder = '/web/'

/**
 * Serves the assets of the pages.
 * @returns undefined if they were not built
 */
export function mountAssets(app: FastifyInstance): AssetPath | undefined {
  const contents = readAssets()
  if (!contents) return undefined
  const hash = createHash('sha256')
  for (const [name, content] of contents) hash.update(`${name} ${content.length} `).update(content)
  const folder = `${assetFolder}${hash.digest('base64url').slice(0, 12)}/`
  for (const [name, content] of contents) {
    let gzip: Buffer | undefined
    // The first request waits for it, so that no start does.
    const compress = () => (gzip ??= gzipSync(content, { level: 9 }))
    const headers = {
      'content-type': `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': immutable,
      vary: 'Accept-Encoding',
    }
    app.get(folder + name, (request, reply) =>
      acceptsGzip(request.headers['accept-encoding'])
        ? reply.headers({ ...headers, 'content-encoding': 'gzip' }).send(compress())
        : reply.headers(headers).send(content),
    )
  }
  return (name) => folder + name
}

function readAssets(): [AssetName, Buffer][] | undefined {
  try {
    return (Object.keys(files) as AssetName[]).map((name) => [name, readFileSync(files[name])])
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Every browser does; a client that refuses it with `gzip;q=0` gets it as it is (RFC 9110, 12.5.3). */
export const acceptsGzip = (header: string | undefined): boolean =>
  header !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?![.\d]))/i.test(header)

import { randomBytes } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import packageJson from '../../../../package.json' with { type: 'json' }
import { openApi } from '../../../contract/openapi.ts'
import type { Context } from '../../context.ts'

/**
 * The page runs only scripts and styles with its nonce, as uploaded files share this origin, and connects to no other
 * origin.
 */
const pageHeaders = (nonce: string) => ({
  'content-security-policy':
    // Swagger UI shows fetched images by blob: URLs.
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // A nonce must not be reused.
  'cache-control': 'no-store',
})

const assetHeaders = { 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' }

// Every URL is relative to `/docs`, so that the page works below any path of a proxy.
const page = (nonce: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Summit API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" nonce="${nonce}" href="docs/assets/swagger-ui.css">
<p><a href="docs/guide">API guide</a>: the envelope, failures, files, retries, the typed client</p>
<div id="docs"><noscript>This page needs JavaScript. The API is also described in <a href="openapi.json">openapi.json</a>.</noscript></div>
<script nonce="${nonce}" src="docs/assets/swagger-ui-bundle.js"></script>
<script nonce="${nonce}" src="docs/start.js"></script>
</html>
`

/** Requests from the page go to the server it was loaded from, not to `PUBLIC_URL`. */
const start = `fetch('openapi.json')
  .then((response) => response.json())
  .then((document) => {
    const spec = { ...document, servers: [{ url: new URL('.', location.href).href.replace(/\\/$/, '') }] }
    SwaggerUIBundle({ spec, dom_id: '#docs', deepLinking: true, tryItOutEnabled: true })
  })
`

/** The parts of Swagger UI, in one folder. */
const stylesheet = fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))
const script = fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))
const assetPaths = [stylesheet, script].map((file) => `/${basename(file)}`)

const guidePage = (nonce: string, guide: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Summit API guide</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">
body { max-width: 60rem; margin: auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
pre { overflow-x: auto }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: 0.2rem 0.6rem; border: 1px solid #8888; text-align: left; vertical-align: top }
</style>
<p><a href="../docs">All operations</a></p>
${guide}</html>
`

/** Serves `/openapi.json`, at `/docs` a page to read and try the API, and the guide. */
export async function mountDocs(
  app: FastifyInstance,
  { config: { limits, publicUrl, access } }: Context,
): Promise<void> {
  let document: string | undefined
  let guide: string | undefined

  app.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApi({ limits, version: packageJson.version, serverUrl: publicUrl ?? '/', access }))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/docs', ({ url }, reply) => {
    // Extra slashes would change what the page's relative URLs resolve to.
    const [, before = '', after = ''] = /(\/+)[^/]+(\/*)$/.exec(url.replace(/[?#].*/, '')) ?? []
    const extra = before.length + after.length - 1
    if (extra > 0) return reply.redirect(`${'../'.repeat(extra)}docs`)
    const nonce = randomBytes(16).toString('base64')
    return reply.headers(pageHeaders(nonce)).type('text/html; charset=utf-8').send(page(nonce))
  })
  app.get('/docs/start.js', (_request, reply) => reply.headers(assetHeaders).type('text/javascript').send(start))
  app.get('/docs/guide', async (_request, reply) => {
    // At first use: the parser would add to the time of a start.
    const { renderGuide } = await import('./guide.ts')
    guide ??= await renderGuide()
    const nonce = randomBytes(16).toString('base64')
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`
    return reply
      .headers({ ...pageHeaders(nonce), 'content-security-policy': policy })
      .type('text/html; charset=utf-8')
      .send(guidePage(nonce, guide))
  })
  await app.register(fastifyStatic, {
    root: dirname(stylesheet),
    prefix: '/docs/assets/',
    index: false,
    allowedPath: (path) => assetPaths.includes(path),
    setHeaders: (reply: FastifyReply) => void reply.headers(assetHeaders),
    maxAge: '1h',
  })
}

import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import packageJson from '../../../package.json' with { type: 'json' }
import { openApi } from '../../contract/openapi.ts'
import type { Context } from '../context.ts'

/** The page runs only what it names itself: uploaded files are of this origin, too. It talks to nobody else. */
const pageHeaders = (nonce: string) => ({
  'content-security-policy':
    // Swagger UI shows a picture that it has fetched by a blob: URL.
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // A nonce is for one response.
  'cache-control': 'no-store',
})

const assetHeaders = { 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' }

// Every address is relative to `/docs`, so that the page works wherever a proxy puts it.
const page = (nonce: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Summit: the interface, to try</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" nonce="${nonce}" href="docs/assets/swagger-ui.css">
<div id="docs"><noscript>The page needs JavaScript; the same is in <a href="openapi.json">openapi.json</a>.</noscript></div>
<script nonce="${nonce}" src="docs/assets/swagger-ui-bundle.js"></script>
<script nonce="${nonce}" src="docs/start.js"></script>
</html>
`

/** What is tried on the page goes to where the page came from, whatever `PUBLIC_URL` is. */
const start = `fetch('openapi.json')
  .then((response) => response.json())
  .then((document) => {
    const spec = { ...document, servers: [{ url: new URL('.', location.href).href.replace(/\\/$/, '') }] }
    SwaggerUIBundle({ spec, dom_id: '#docs', deepLinking: true, tryItOutEnabled: true })
  })
`

/** Serves `/openapi.json` and, at `/docs`, a page to read and try it. */
export async function mountDocs(app: FastifyInstance, { config }: Context): Promise<void> {
  let document: string | undefined

  app.get('/', (_request, reply) => reply.redirect('docs'))
  app.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApi(config.limits, packageJson.version, config.publicUrl ?? '/'))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/docs', ({ url }, reply) => {
    // With more slashes than one the page's addresses would mean something else.
    const [, before = '', after = ''] = /(\/+)[^/]+(\/*)$/.exec(url.replace(/[?#].*/, '')) ?? []
    const more = before.length + after.length - 1
    if (more > 0) return reply.redirect(`${'../'.repeat(more)}docs`)
    const nonce = randomBytes(16).toString('base64')
    return reply.headers(pageHeaders(nonce)).type('text/html; charset=utf-8').send(page(nonce))
  })
  app.get('/docs/start.js', (_request, reply) => reply.headers(assetHeaders).type('text/javascript').send(start))
  await app.register(fastifyStatic, {
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: '/docs/assets/',
    index: false,
    allowedPath: (path) => /^\/swagger-ui(-bundle)?\.(css|js)$/.test(path),
    setHeaders: (reply: FastifyReply) => void reply.headers(assetHeaders),
    maxAge: '1h',
  })
}

import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import packageJson from '../../../package.json' with { type: 'json' }
import { openApi } from '../../contract/openapi.ts'
import type { Context } from '../context.ts'

/** Everything on the page comes from here, and it talks to nobody else. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

// Every address is relative to `/docs`, so that the page works wherever a proxy puts it.
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Summit: the interface, to try</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/assets/swagger-ui.css">
<div id="docs"><noscript>The page needs JavaScript; the same is in <a href="openapi.json">openapi.json</a>.</noscript></div>
<script src="docs/assets/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
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
    // With a slash at the end the page's addresses would mean something else.
    if (/^[^?]*\/(\?|$)/.test(url)) return reply.redirect('../docs')
    return reply.headers(headers).type('text/html; charset=utf-8').send(page)
  })
  app.get('/docs/start.js', (_request, reply) => reply.headers(headers).type('text/javascript').send(start))
  await app.register(fastifyStatic, {
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: '/docs/assets/',
    index: false,
    allowedPath: (path) => /^\/swagger-ui(-bundle)?\.(css|js)$/.test(path),
    setHeaders: (reply: FastifyReply) => void reply.headers(headers),
    maxAge: '1h',
  })
}

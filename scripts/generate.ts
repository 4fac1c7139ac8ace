import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { failures, retryAfterSeconds } from '../src/contract/failures.ts'
import { defaultLimits } from '../src/contract/limits.ts'
import { openApi } from '../src/contract/openapi.ts'
import { Settings } from '../src/server/config.ts'

/** `npm run generate`: writes the documents that are made from the code; with `--check`, fails if one is not as it would be. */

const made = 'Made from the code by `npm run generate`; change it there.'

/** A Markdown table; a bar in a cell would end it. */
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

function failuresPage(): string {
  const rows = Object.entries(failures).map(([reason, { code, message }]) => {
    const retry = reason in retryAfterSeconds ? `${retryAfterSeconds[reason as keyof typeof failures]} s` : ''
    return [String(code), `\`${reason}\``, message, retry]
  })
  return [
    '# Failures',
    '',
    `The \`response_code\` is the equivalent HTTP status times ten plus a variant. ${made}`,
    '',
    table(['response_code', 'reason', 'message', 'Retry-After'], rows),
    '',
  ].join('\n')
}

function configPage(): string {
  const rows = Object.entries(Settings.properties).map(([name, schema]) => {
    const { default: value, description } = { default: '', description: '', ...schema }
    return [`\`${name}\``, value === '' ? '' : `\`${value}\``, description]
  })
  return [
    '# Configuration',
    '',
    `Every setting is an environment variable; \`npm run summit -- config\` prints them with their values. ${made}`,
    '',
    table(['variable', 'default', 'what it is'], rows),
    '',
  ].join('\n')
}

const documents = {
  'openapi.json': `${JSON.stringify(openApi(defaultLimits, packageJson.version, '/'), null, 2)}\n`,
  'failures.md': failuresPage(),
  'config.md': configPage(),
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [name, text] of Object.entries(documents)) {
  const path = join(import.meta.dirname, '../docs', name)
  if (!check) await writeFile(path, text)
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) stale.push(name)
}
if (stale.length > 0) {
  console.error(`Not as the code would make them: docs/${stale.join(', docs/')}. Run: npm run generate`)
  process.exit(1)
}

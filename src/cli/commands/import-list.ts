import type { Config } from '../../server/config/config.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { listImports } from '../../server/domains/import/undo-import.ts'
import { withContext } from '../with-context.ts'

/** `summit import list`: lists every import that has changed something, newest first. */
export async function printImports(config: Config): Promise<void> {
  await withContext(config, async (ctx) => {
    const imports = await listImports(ctx.database.read)
    if (imports.length === 0) console.log('No imports.')
    for (const { id, at, command, file, records, undone_at } of imports) {
      const state = undone_at === 0 ? formatCount(records, 'record') : `undone ${ctx.timestamp(undone_at)}`
      console.log(`${String(id).padStart(5)}  ${ctx.timestamp(at)}  ${command.padEnd(19)}  ${file}  ${state}`)
    }
  })
}

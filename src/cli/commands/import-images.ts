import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/errors.ts'
import {
  imageChanges,
  importImages as importAll,
  type PlannedImage,
} from '../../server/domains/import/images/images.ts'
import { describeImport, type PlanOptions } from '../plan-or-apply.ts'
import { formatPlan } from '../plan-report.ts'
import { withProgress } from '../progress.ts'
import { reasonOf } from '../reason.ts'
import { withContext } from '../with-context.ts'

interface Options extends PlanOptions {
  /** Only sessions of this program get images; absent for all. */
  source?: string
}

/** `summit import images FOLDER`: prints the plan, and with `--apply` attaches the images. */
export async function importImages(
  config: Config,
  folder: string,
  { apply = false, all = false, source }: Options,
): Promise<void> {
  await assertReadable(folder)
  await withContext(config, async (ctx) => {
    const { planned, importId } = await withProgress(apply ? 'Attaching' : 'Reading', (onProgress) =>
      importAll(ctx, folder, { source, apply, onProgress }),
    )
    if (planned.length === 0) throw new OperatorError(`No images found in ${folder}.`)
    console.log(formatPlan(imageChanges, planned.map(toLine), [], { noun: 'images', all }))
    if (planned.every(({ change }) => change === 'skipped'))
      throw new OperatorError(`Nothing was attached: no file in ${folder} can be attached.`)
    const hasChanges = planned.some(({ change }) => change === 'new' || change === 'replaced')
    if (apply) console.log(`\nDone.${describeImport(importId)}`)
    else if (hasChanges) console.log('\nNothing was changed. Run the same command with --apply to apply this plan.')
    else console.log('\nNothing to do.')
  })
}

const toLine = ({ change, file, target, reason }: PlannedImage) => ({
  change,
  text: `${file}: ${target ?? reason}`,
  differences: [],
})

/** @throws OperatorError if the folder cannot be read */
async function assertReadable(folder: string): Promise<void> {
  await readdir(folder).catch((cause) => {
    const reason = reasonOf(cause, { ENOTDIR: 'it is not a folder' })
    throw new OperatorError(`Cannot read ${resolve(folder)}: ${reason}.`, { cause })
  })
}

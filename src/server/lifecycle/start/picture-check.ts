import { messageOf } from '../../core/errors.ts'
import { PictureDrawer } from '../../platform/images/picture-drawer.ts'

/** Warns at start, rather than at the first picture, if pictures cannot be drawn. */
export async function warnIfPicturesFail(): Promise<void> {
  const problem = await findPictureProblem()
  if (problem !== undefined) console.error(`WARNING: ${problem}`)
}

/**
 * Draws a picture, like every one in another process.
 * @returns why none can be drawn, as when sharp has no build for this machine, and what to do
 */
export async function findPictureProblem(): Promise<string | undefined> {
  const drawer = new PictureDrawer()
  try {
    await drawer.draw({ id: 0, title: 'Summit', kind: 'photo' })
    return undefined
  } catch (error) {
    return (
      `Pictures cannot be drawn here: ${messageOf(error)} Until this is ` +
      'fixed, the banner or photo of an event that has none fails with 5030, and images cannot be imported. If sharp ' +
      'is the cause, install Summit on this machine, so that npm selects the build that it needs.'
    )
  } finally {
    drawer.close()
  }
}

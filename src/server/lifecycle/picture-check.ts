import { PictureDrawer } from '../images/picture-drawer.ts'

/**
 * Warns at start, rather than at the first picture, if pictures cannot be drawn, as when sharp has no build for this
 * machine. Like every picture, this one is drawn in another process.
 */
export async function warnIfPicturesFail(): Promise<void> {
  const drawer = new PictureDrawer()
  try {
    await drawer.draw({ id: 0, title: 'Summit', kind: 'photo' })
  } catch (error) {
    console.error(
      `WARNING: Pictures cannot be drawn here: ${error instanceof Error ? error.message : String(error)} Until this is ` +
        'mended, the banner or photo of an event that has none fails with 5000, and images cannot be imported. If sharp ' +
        'is the cause, npm ci on this machine installs the build that it needs.',
    )
  } finally {
    drawer.close()
  }
}

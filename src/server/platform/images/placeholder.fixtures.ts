import sharp, { type Region } from 'sharp'

/** The colour of every n-th pixel of a region, as `#rrggbb`. */
export async function coloursOf(png: Buffer, region: Region, every = 1): Promise<string[]> {
  const bytes = await sharp(png).extract(region).raw().toBuffer()
  const colours: string[] = []
  for (let at = 0; at < bytes.length; at += 3 * every) colours.push(`#${bytes.toString('hex', at, at + 3)}`)
  return colours
}

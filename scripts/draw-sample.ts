import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import * as harbour from './sample-pictures/harbour-scenes.ts'
import * as indoor from './sample-pictures/indoor-scenes.ts'
import { looks } from './sample-pictures/looks.ts'
import { drawPortrait } from './sample-pictures/portrait.ts'
import * as stage from './sample-pictures/stage-scenes.ts'

// `node scripts/draw-sample.ts` draws the pictures of the sample. They are stored in src/demo/pictures, so that a first start
// draws none, and without text, which would depend on fonts.

const scenes = {
  'quay-in-the-morning': harbour.quayInTheMorning(),
  'harbour-at-dusk': harbour.harbourAtDusk(),
  'ferry-in-a-storm': harbour.ferryInStorm(),
  lighthouse: harbour.lighthouse(),
  'last-train': harbour.lastTrain(),
  seal: harbour.seal(),
  'workshop-table': indoor.workshopTable(),
  lunch: indoor.lunch(),
  'keynote-storm-chart': stage.crowdBeforeStage(stage.stormChart(), { hair: '#dcb56c', clothes: '#c6533b' }),
  'talk-last-train': stage.crowdBeforeStage(stage.trainDiagram(), { hair: '#23222a', clothes: '#dea233' }),
  poster: indoor.poster(),
  penguin: indoor.penguin(false),
  'penguin-with-badge': indoor.penguin(true),
  radio: indoor.radio(),
  'ship-bell': stage.bell(),
}

const folder = new URL('../src/demo/pictures/', import.meta.url)

/** @param width of the picture in pixels; it is drawn at that size, not scaled */
async function draw(name: string, svg: string, width: number): Promise<void> {
  const picture = sharp(Buffer.from(svg.replace('<svg ', `<svg width="${width}" `)))
  await writeFile(new URL(`${name}.webp`, folder), await picture.webp({ quality: 72, effort: 6 }).toBuffer())
}

for (const [name, look] of Object.entries(looks)) await draw(name, drawPortrait(look), 288)
for (const [name, svg] of Object.entries(scenes)) await draw(name, svg, 840)

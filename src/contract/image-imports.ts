import Type from 'typebox'
import { maxListed, undoable } from './imports.ts'
import { operation, record, Text } from './operation.ts'
import { WireId } from './records.ts'
import { Uploads, uploadsMember } from './uploads.ts'

// Additions to the interface specification: several images are imported by request, each for the records that its name says.

/** An image, and the records that it is for. */
export const ImportedImage = record({
  name: Type.String({ description: 'The name of the file; of a link, the link.' }),
  targets: Type.Array(
    record({
      kind: Type.Enum(['event', 'speaker']),
      id: WireId,
      name: Type.String({ description: 'The title or name, for display.' }),
      picture: Type.Enum(['banner', 'photo']),
      change: Type.Enum(['new', 'replaced', 'unchanged'], {
        description: '`replaced` if there is another one. In a plan also if it is the same: only its name is known.',
      }),
    }),
    { description: 'Empty for none.' },
  ),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is for nobody, or cannot be used.' }),
})

const images = Type.Array(ImportedImage, { description: 'In the order of the request.' })

const source = Type.Optional(
  Text({
    limit: 'text',
    description: 'Only events of this program, and their speakers; by default, of all.',
    examples: [''],
  }),
)

export const imageImports = {
  planImagesImport: operation({
    method: 'POST',
    path: '/api/images/import/plan',
    tag: 'Editing',
    summary: 'Plan the import of images',
    description:
      'Says by the names of files whose banner or photo each of them would be, as `summit import images` does. Events that ' +
      'are not published are found, too; participants are not.',
    access: { organizers: 'editor' },
    params: record({}),
    body: record({
      names: Type.Array(Text({ limit: 'text', description: 'The name of a file, with its extension.' }), {
        maxItems: maxListed,
        description: `At most ${maxListed}.`,
        examples: [['Ana Cruz.jpg', '42.banner.png']],
      }),
      source,
    }),
    data: record({ images }),
    fails: [],
  }),
  applyImagesImport: operation({
    method: 'POST',
    path: '/api/images/import/apply',
    tag: 'Editing',
    summary: 'Import images',
    description:
      'Images as files with names, which are matched again and redrawn. What cannot be used is left out, with the reason. ' +
      'Attendees see the pictures of what is published at once, and undoing the revision brings back all that were there. Photos of ' +
      'participants are not imported by request: `updateParticipant` sets one.',
    access: { organizers: 'editor' },
    params: record({}),
    body: record({
      [uploadsMember]: Type.Optional({ ...Uploads, description: 'Images, as file parts or with `name` and `data`.' }),
      source,
      revision_id: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'That of the request before, for images that do not fit into one: if nobody has changed anything since, these ' +
            'images become part of it, and are undone with it. By default, 0: none.',
          examples: [0],
        }),
      ),
    }),
    data: record({ images, ...undoable.properties }),
    fails: ['TOO_MANY_FILES', 'EVENT_CHANGED'],
  }),
}

import Type, { type Static } from 'typebox'
import { record } from './operation.ts'

/** A record's id in an answer: always a string (specification, 2.1). */
export const WireId = Type.String({ pattern: '^\\d+$', examples: ['12'] })

/** Who did something to a record: a participant's id, `0` for nobody (specification, 2.7, 2.9). */
export const Actor = Type.String({ pattern: '^\\d+$', examples: ['0'] })

/** The participant behind a record; `name` is one space when unknown (specification, 2.2). */
export const Author = record({
  id: Type.Union([WireId, Type.Null()]),
  name: Type.String({ examples: ['Ana Cruz'] }),
  designation: Type.Union([Type.String(), Type.Null()]),
  photoUrl: Type.Union([Type.String(), Type.Null()]),
})
export type Author = Static<typeof Author>

/** A file attached to a topic or comment (specification, 2.3); `id` is our addition, as the delete path needs it. */
export const UploadedFile = record({
  id: WireId,
  link: Type.String({ description: 'Where the file is: an address of this service, or the link as it was given.' }),
  fileType: Type.String({ examples: ['image/png'] }),
})
export type UploadedFile = Static<typeof UploadedFile>

const fileType = Type.Optional(Type.String({ description: 'Its media type.', examples: ['image/png'] }))

/**
 * The `uploaded_files` of a request: links (stored as given, never fetched), `data:` URIs, or objects with base64.
 * In multipart the same member also takes file parts.
 */
export const Uploads = Type.Array(
  Type.Union([
    Type.String({ description: 'An http(s) link, or a data: URI.' }),
    Type.Object({ link: Type.String({ description: 'An http(s) link.' }), fileType }),
    Type.Object({
      name: Type.Optional(Type.String({ description: 'The file name.' })),
      fileType,
      data: Type.String({ description: 'The bytes in base64.' }),
    }),
  ]),
  { description: 'Files to attach. On update they are added; only the delete path removes.' },
)

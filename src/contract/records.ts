import Type, { type Static } from 'typebox'
import { record } from './operation.ts'

/** A record's id in a response: always a string. */
export const WireId = Type.String({ pattern: '^\\d+$', examples: ['12'] })

/** The participant who changed a record, by id; `0` when unknown. */
export const Actor = Type.String({ pattern: '^\\d+$', examples: ['0'] })

/** The participant behind a record; `name` is one space when unknown. */
export const Author = record({
  id: Type.Union([WireId, Type.Null()]),
  name: Type.String({ examples: ['Ana Cruz'] }),
  designation: Type.Union([Type.String(), Type.Null()]),
  photoUrl: Type.Union([Type.String(), Type.Null()]),
})
export type Author = Static<typeof Author>

/**
 * A file attached to a topic or comment. `id` is an addition to the interface specification: the delete path needs it.
 */
export const UploadedFile = record({
  id: WireId,
  link: Type.String({ description: 'The URL of the file: one of this server, or the link as it was given.' }),
  fileType: Type.String({ examples: ['image/png'] }),
})
export type UploadedFile = Static<typeof UploadedFile>

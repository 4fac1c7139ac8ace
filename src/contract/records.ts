import Type, { type Static } from 'typebox'
import { record } from './operation.ts'

/** A record's id in a response: always a string (specification, 2.1). */
export const WireId = Type.String({ pattern: '^\\d+$', examples: ['12'] })

/** The participant who changed a record, by id; `0` when unknown (specification, 2.7, 2.9). */
export const Actor = Type.String({ pattern: '^\\d+$', examples: ['0'] })

/** The participant behind a record; `name` is one space when unknown (specification, 2.2). */
export const Author = record({
  id: Type.Union([WireId, Type.Null()]),
  name: Type.String({ examples: ['Ana Cruz'] }),
  designation: Type.Union([Type.String(), Type.Null()]),
  photoUrl: Type.Union([Type.String(), Type.Null()]),
})
export type Author = Static<typeof Author>

/** A file attached to a topic or comment (specification, 2.3); `id` is our addition: the delete path needs it. */
export const UploadedFile = record({
  id: WireId,
  link: Type.String({ description: 'Where the file is: an address of this service, or the link as it was given.' }),
  fileType: Type.String({ examples: ['image/png'] }),
})
export type UploadedFile = Static<typeof UploadedFile>

import Type from 'typebox'
import type { Operation } from './operation.ts'

/** The member of a request body that carries the files to attach. */
export const uploadsMember = 'uploaded_files'
export type UploadsMember = typeof uploadsMember

const fileType = Type.Optional(Type.String({ description: 'Its media type.', examples: ['image/png'] }))

export const linkExample = 'https://cdn.summit.example/slides.pdf'

/** Links (stored as given, never fetched), `data:` URIs, or objects with base64. In multipart also file parts. */
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
  {
    description: 'Files to attach. An update adds them to the existing ones; only the delete operation removes files.',
    examples: [[linkExample, { name: 'notes.txt', fileType: 'text/plain', data: 'SGVsbG8=' }]],
  },
)

/** The optional uploads of a request body. */
export const uploads = { [uploadsMember]: Type.Optional(Uploads) }

/** The member of a request body that is a photo: an image as a file part, or a link or path as text. */
export const photoMember = 'photo'
export type PhotoMember = typeof photoMember

/** The member of a request body that is a file part, and nothing else. */
export const fileMember = 'file'
export type FileMember = typeof fileMember

/** A file to read rather than to store. It is required, though clients give it apart from the other members. */
export const filePart = {
  [fileMember]: Type.Optional(
    Type.String({ format: 'binary', description: 'A file part, of at most the size of one file.', examples: [''] }),
  ),
}

/** The name of the one file part that requests to an operation may carry, beside uploads; undefined for none. */
export const partOf = ({ body }: Operation): PhotoMember | FileMember | undefined =>
  ([photoMember, fileMember] as const).find((member) => body !== undefined && member in body.properties)

/** Whether requests to an operation may carry files. */
export const acceptsFiles = ({ body }: Operation): boolean => body !== undefined && uploadsMember in body.properties

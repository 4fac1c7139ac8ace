import { fileMember, photoMember, uploadsMember } from '../contract/uploads.ts'

/** The members that are sent as file parts. */
export interface FormFiles {
  /**
   * Files to attach, sent as file parts of a multipart body together with the members: for operations with
   * `uploaded_files`, which may have links besides. A `File` is one that a user has chosen in a page, or
   * `new File([bytes], 'slides.pdf', { type: 'application/pdf' })`.
   */
  files?: File[]
  /** The image of a photo, sent as a file part: for `updateParticipant` and `updateMe`. */
  photo?: File
  /** The file that an import reads, sent as a file part. */
  file?: File
}

/** A multipart body with these members and files. */
export function toForm(members: object, { files = [], photo, file }: FormFiles): FormData {
  const form = new FormData()
  for (const [name, value] of pairsOf(members)) form.append(name, value)
  for (const upload of files) form.append(`${uploadsMember}[]`, upload, upload.name)
  if (photo) form.append(photoMember, photo, photo.name)
  if (file) form.append(fileMember, file, file.name)
  return form
}

/** The fields of a form: nested members as `files[0][link]`, absent members omitted, an empty list as an empty field. */
function pairsOf(value: unknown, name = ''): [string, string][] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  // Without an element, a list would be absent.
  if (Array.isArray(value) && value.length === 0) return [[name, '']]
  return Object.entries(value).flatMap(([member, inner]) => pairsOf(inner, name ? `${name}[${member}]` : member))
}

import { photoMember, uploadsMember } from '../contract/uploads.ts'

/** A multipart body with these members and files. */
export function toForm(members: object, { files = [], photo }: { files?: readonly File[]; photo?: File }): FormData {
  const form = new FormData()
  for (const [name, value] of pairsOf(members)) form.append(name, value)
  for (const file of files) form.append(`${uploadsMember}[]`, file, file.name)
  if (photo) form.append(photoMember, photo, photo.name)
  return form
}

/** The fields of a form: nested members as `files[0][link]`, absent members omitted. */
function pairsOf(value: unknown, name = ''): [string, string][] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([member, inner]) => pairsOf(inner, name ? `${name}[${member}]` : member))
}

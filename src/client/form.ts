/** A multipart body with these members, and files beside them as `uploaded_files`. */
export function toForm(members: object, files: readonly File[]): FormData {
  const form = new FormData()
  for (const [name, value] of pairsOf(members)) form.append(name, value)
  for (const file of files) form.append('uploaded_files[]', file, file.name)
  return form
}

/** Members as a form writes them: `uploaded_files[0][link]` for what is nested; nothing for what is absent. */
function pairsOf(value: unknown, name = ''): [string, string][] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([member, inner]) => pairsOf(inner, name ? `${name}[${member}]` : member))
}

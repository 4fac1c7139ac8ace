/** Members as fields of a form, with names such as `files[0][link]` for nested ones. */
export const pairsOf = (value: unknown, name = ''): [string, string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([member, inner]) => pairsOf(inner, name ? `${name}[${member}]` : member))
    : [[name, String(value)]]

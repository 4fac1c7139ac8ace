/** Members as a form writes them: `files[0][link]` for what is nested. */
export const pairsOf = (value: unknown, name = ''): [string, string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([member, inner]) => pairsOf(inner, name ? `${name}[${member}]` : member))
    : [[name, String(value)]]

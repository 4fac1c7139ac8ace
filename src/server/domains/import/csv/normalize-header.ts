// Longer cells are data, not headings. Without this limit a hostile file would take minutes.
const maxHeaderLength = 100

/**
 * Normalizes a header: case, accents, camelCase, punctuation and hints in brackets are ignored.
 * `startsAt`, `Starts at` and `STARTS_AT (local)` all become `starts at`.
 */
export const normalizeHeader = (header: string): string =>
  header
    .slice(0, maxHeaderLength)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Removes a trailing number from a normalized header. */
export const stripNumber = (header: string): string => header.replace(/ ?\d{1,2}$/, '')

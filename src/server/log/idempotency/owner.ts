/** To whom a stored response belongs, if anyone: only the same owner gets it for a retry. */
export type Owner = 'participant' | 'credential' | 'browser' | 'session'

/**
 * The key of a stored response that belongs to somebody. Keys that clients send have no spaces.
 * @param parts the owner's id, and what tells its responses apart
 */
export const ownedKey = (owner: Owner, ...parts: (string | number)[]): string => [owner, ...parts].join(' ')

/** A pattern for `like`: the keys of all owners of a kind. */
export const keysOf = (owner: Owner): string => `${owner} %`

/** The id in a key from {@link ownedKey}; undefined for a key of another kind of owner. */
export function idIn(key: string, owner: Owner): number | undefined {
  const [found, id] = key.split(' ')
  return found === owner ? Number(id) : undefined
}

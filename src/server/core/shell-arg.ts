/** An argument of a command, such as a path, as it is written in a shell. */
export const shellArg = (text: string): string =>
  /^[\w@%+=:,./…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

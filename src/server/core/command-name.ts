/** The command of operators: npm runs the sources of a clone, and an installed package has a binary. */
export const commandName = import.meta.url.endsWith('.ts') ? 'npm run summit --' : 'summit'

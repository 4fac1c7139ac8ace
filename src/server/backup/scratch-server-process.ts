// A server that exits with its parent process: nothing else would stop it, and it serves all data of the summit.
process.on('disconnect', () => process.exit(1))
await import('../main.ts')

// Loaded before everything else (`node --import`): an older Node would only answer with a syntax error.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Summit needs Node 24.12 or newer; this is ${process.versions.node}. ` +
      'On Linux (x64 or arm64, glibc), npm start brings its own; elsewhere please install Node 24.',
  )
  process.exit(1)
}

// Spares every later start the compiling of some hundred sources. Not in the folder for temporary files, where others
// may write; where it cannot be written, there is none.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

// Loaded before everything else (`node --import`), since an older Node would only report a syntax error.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Summit needs Node 24.12 or newer; this is ${process.versions.node}. ` +
      'On Linux (x64 or arm64, glibc), npm installs one for Summit; elsewhere, install Node 24.',
  )
  process.exit(1)
}

// Later starts, and the processes that this one starts, need not compile hundreds of source files again. The cache is not
// in the temporary folder, where other users may write; if its folder is not writable, nothing is cached.
process.env.NODE_COMPILE_CACHE ||= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
module.enableCompileCache()

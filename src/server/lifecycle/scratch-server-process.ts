import { createApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { OperatorError } from '../core/operator-error.ts'
import { createContext } from './create-context.ts'

// The process of a scratch server. It ends with its parent process: nothing else would stop it.
process.on('disconnect', () => process.exit(1))

process.umask(0o077)

const [, , dir = ''] = process.argv
const settings = { DATA_DIR: dir, LOG_LEVEL: 'error' }
try {
  const app = await createApp(await createContext(readConfig(settings).config))
  process.on('message', async (path: string) => {
    const { body } = await app.inject(path)
    process.send?.(body)
  })
  process.send?.('ready')
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exit(1)
}

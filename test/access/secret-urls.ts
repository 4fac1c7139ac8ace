import * as make from '../make.ts'
import type { KeyHolder } from './app-with-keys.ts'

export const read = ({ client }: Pick<KeyHolder, 'client'>) =>
  make.codeOf(client.call('listTopics', { offset: 0, limit: 10 }))

import type { ParticipantId } from '../../src/server/core/ids.ts'
import * as make from '../make.ts'
import type { KeyHolder } from './app-with-keys.ts'

/** Six at once, then one every ten seconds. */
export const settings = { WRITES_PER_MINUTE: '6' }

export const tooMany = 4290

export const second = 1000

export type Sender = Pick<KeyHolder, 'client'>

/** Posts topics one after the other. @returns the code of each response */
export async function post(count: number, { client }: Sender, created_by?: ParticipantId): Promise<number[]> {
  const codes: number[] = []
  for (let n = 0; n < count; n++)
    codes.push(
      await make.codeOf(client.call('createTopic', { name: `Topic ${n}`, ...(created_by && { created_by }) } as never)),
    )
  return codes
}

export const all = (count: number, code: number): number[] => Array<number>(count).fill(code)

export const successes = (codes: number[]): number => codes.filter((code) => code === 1000).length

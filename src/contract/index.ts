import { feedback } from './feedback.ts'
import { files } from './files.ts'
import { newsfeed } from './newsfeed.ts'
import type { DataOf, InputOf } from './operation.ts'
import { participants } from './participants.ts'
import { program } from './program.ts'

/** The contract: every operation of the service, by name. */
export const operations = { ...newsfeed, ...files, ...program, ...feedback, ...participants }

export type Operations = typeof operations
export type OperationName = keyof Operations
export type Input<N extends OperationName> = InputOf<Operations[N]>
export type Data<N extends OperationName> = DataOf<Operations[N]>

/** Operations that return bytes rather than an envelope. */
export type BytesOperationName = { [N in OperationName]: Data<N> extends never ? N : never }[OperationName]
export type JsonOperationName = Exclude<OperationName, BytesOperationName>

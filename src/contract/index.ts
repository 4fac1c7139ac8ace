import { type AccessMode, existsIn, type SpecifiedAccess } from './access.ts'
import { audit } from './audit.ts'
import { editing } from './editing.ts'
import { editingRecords } from './editing-records.ts'
import { feed } from './feed.ts'
import { feedback } from './feedback.ts'
import { files } from './files.ts'
import { imageImports } from './image-imports.ts'
import { imports } from './imports.ts'
import { me } from './me.ts'
import { newsfeed } from './newsfeed.ts'
import type { DataOf, InputOf, Operation } from './operation.ts'
import { organizers } from './organizers.ts'
import { overview } from './overview.ts'
import { participants } from './participants.ts'
import { ownPasskeys } from './passkeys.ts'
import { program } from './program.ts'
import { programExport } from './program-export.ts'
import { revisions } from './revisions.ts'
import { schedule } from './schedule.ts'
import { signIn } from './sign-in.ts'
import { stars } from './stars.ts'

/** The contract: every operation of the service, by name. Some exist only in some modes (`operationsIn`). */
export const operations = {
  ...newsfeed,
  ...feed,
  ...files,
  ...program,
  ...schedule,
  ...programExport,
  ...feedback,
  ...participants,
  ...me,
  ...stars,
  ...ownPasskeys,
  ...signIn,
  ...organizers,
  ...overview,
  ...editing,
  ...revisions,
  ...editingRecords,
  ...imports,
  ...imageImports,
  ...audit,
}

export type Operations = typeof operations
export type OperationName = keyof Operations
export type Input<N extends OperationName> = InputOf<Operations[N]>
export type Data<N extends OperationName> = DataOf<Operations[N]>

/** Operations that return bytes rather than an envelope. */
export type BytesOperationName = { [N in OperationName]: Data<N> extends never ? N : never }[OperationName]
export type JsonOperationName = Exclude<OperationName, BytesOperationName>

/** Operations that return an envelope and change something. */
export type JsonWriteName = {
  [N in JsonOperationName]: Operations[N]['method'] extends 'GET' ? never : N
}[JsonOperationName]

/** Operations that exist in every mode: those of the interface specification, and further reads. */
export type SpecifiedOperationName = {
  [N in OperationName]: Operations[N]['access'] extends SpecifiedAccess ? N : never
}[OperationName]

/** Operations of the interface specification that change something. */
export type SpecifiedWriteName = Extract<JsonWriteName, SpecifiedOperationName>

/** The operations that exist in a mode. */
export const operationsIn = (mode: AccessMode): [OperationName, Operation][] =>
  (Object.entries(operations) as [OperationName, Operation][]).filter(([, { access }]) => existsIn(access, mode))

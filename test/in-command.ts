import { commandScope, type WriteScope } from '../src/server/scope.ts'
import type { TestApp } from './app.ts'

/** Runs work in a transaction on the summit of a server, as a command does. */
export const inCommand = <T>(t: Pick<TestApp, 'ctx'>, work: (scope: WriteScope) => Promise<T>): Promise<T> =>
  t.ctx.database.transaction((tx) => work(commandScope(t.ctx, tx, 'test')))

import { commandName } from '../core/command-name.ts'
import { shellArg } from '../core/shell-arg.ts'
import { hidePassword } from '../storage/db/target.ts'
import type { SettingsOptions } from './sources.ts'

/** Formats a command as an operator can run it in a shell, without passwords. @param args its name and arguments */
export const formatCommand = ({ dataDir, envFile }: SettingsOptions, args: readonly string[]): string =>
  [
    commandName,
    ...[
      ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
      ...(envFile === undefined ? [] : ['--env-file', envFile]),
      ...args,
    ].map((arg) => shellArg(hidePassword(arg))),
  ].join(' ')

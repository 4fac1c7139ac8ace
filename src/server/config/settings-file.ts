import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { hasCode, messageOf, OperatorError } from '../core/errors.ts'

/** Read from the folder in which the server or command is started, if it is there. */
const defaultFile = 'summit.env'

/** The content of a settings file. */
export interface SettingsFile {
  /** The path as given. */
  path: string
  values: Readonly<Record<string, string | undefined>>
  /** The lines that are neither settings nor comments, 1-based. */
  unreadableLines: number[]
}

/**
 * Reads the settings file: `path`, or `summit.env` if there is one.
 * @throws OperatorError if it cannot be read
 */
export function readSettingsFile(path: string | undefined): SettingsFile | undefined {
  const file = path ?? defaultFile
  const text = readText(file, path !== undefined)
  if (text === undefined) return undefined
  // As the value of a setting with nothing but blanks, `parseEnv` would read the next line.
  const values = parseEnv(text.replace(/=[^\S\n]+$/gm, '='))
  const { DATA_DIR: dataDir, BACKUP_TO: backupTo } = values
  return {
    path: file,
    values: {
      ...named(values),
      ...(dataDir && { DATA_DIR: fromFolderOf(file, dataDir) }),
      ...(backupTo?.startsWith('.') && { BACKUP_TO: fromFolderOf(file, backupTo) }),
    },
    unreadableLines: findUnreadableLines(text),
  }
}

/**
 * An assignment as `parseEnv` reads it: a quoted value may have several lines, and the rest of its last line is
 * ignored.
 */
const assignment = /^([^\n=#]*)=[^\S\n]*(?:(["'`])[\s\S]*?\2)?[^\n]*/gm

function findUnreadableLines(text: string): number[] {
  const others = text.replace(assignment, (lines, name: string) =>
    /^\s*(export\s+)?[A-Za-z_]\w*\s*$/.test(name) ? lines.replace(/[^\n]+/g, '') : lines,
  )
  return others.split('\n').flatMap((line, index) => (/^\s*(#|$)/.test(line) ? [] : [index + 1]))
}

/**
 * Drops keys that are not names: the beginning of a URL on a line of its own would be one, and may contain a password.
 */
const named = (values: NodeJS.Dict<string>): NodeJS.Dict<string> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => /^[A-Za-z_]\w*$/.test(name)))

/** Windows PowerShell writes UTF-16; the byte order mark says so. */
function readText(file: string, isRequired: boolean): string | undefined {
  try {
    const bytes = readFileSync(file)
    return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)
  } catch (error) {
    if (hasCode(error, 'ENOENT') && !isRequired) return undefined
    const reason = hasCode(error, 'ENOENT') ? 'it does not exist' : messageOf(error)
    throw new OperatorError(`Cannot read the settings file ${resolve(file)}: ${reason}.`, { cause: error })
  }
}

/** A relative path is relative to the file, so that it is the same folder wherever Summit is started. */
const fromFolderOf = (file: string, path: string): string =>
  relative('.', dirname(file)) === '' ? path : resolve(dirname(file), path)

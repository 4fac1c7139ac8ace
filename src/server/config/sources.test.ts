import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { createDataFolder } from '../../../test/faults/create-data-folder.ts'
import { loadConfig } from './config.ts'
import { readSettingsFile } from './settings-file.ts'

/** A settings file with this content, gone when the test ends. */
async function settingsFile(content: string | Buffer) {
  const folder = await createDataFolder()
  const path = join(folder.dir, 'my.env')
  await writeFile(path, content)
  return { path, dir: folder.dir, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('a setting comes from the option, else the environment, else the file, and its source is named', async () => {
  await using file = await settingsFile('# ours\r\nPORT=4000\r\nTIMEZONE="Europe/Berlin"\r\nDATA_DIR=from-file\r\n')
  const environment = { PORT: '5000', DATA_DIR: '/from-environment', TIMEZONE: '' }
  const { config, effective } = loadConfig(environment, { envFile: file.path, dataDir: '/from-option' })
  expect(config).toMatchObject({ port: 5000, timeZone: 'Europe/Berlin', dataDir: '/from-option' })
  const sourceOf = (name: string) => effective.find((setting) => setting.name === name)?.source
  expect(['DATA_DIR', 'PORT', 'TIMEZONE', 'HOST'].map(sourceOf)).toEqual([
    '--data-dir',
    'environment',
    file.path,
    'default',
  ])
})

test('a relative folder in a settings file is the same wherever a command is started', async () => {
  await using file = await settingsFile('DATA_DIR=./my-summit\n')
  const { config, environment } = loadConfig({}, { envFile: relative('.', file.path) })
  expect(config.dataDir).toBe(join(file.dir, 'my-summit'))
  // As a worker process reads them.
  expect(environment).toEqual({ DATA_DIR: join(file.dir, 'my-summit') })
})

test.each([
  ['UTF-16, as Windows PowerShell writes it', Buffer.from('\u{FEFF}PORT=4000\r\n', 'utf16le')],
  ['UTF-8 with a byte order mark', '\u{FEFF}PORT=4000\r\n'],
  ['a blank at the end, as after echo in cmd.exe', 'PORT=4000 \r\n'],
])('a settings file may be in %s', async (_, content) => {
  await using file = await settingsFile(content)
  expect(loadConfig({}, { envFile: file.path })).toMatchObject({ config: { port: 4000 }, ignored: [] })
})

test('a settings file that is named and does not exist is an error; summit.env may be missing', async () => {
  expect(() => loadConfig({}, { envFile: '/nowhere/my.env' })).toThrow(
    'Cannot read the settings file /nowhere/my.env: it does not exist.',
  )
  expect(loadConfig({}, {}).config.dataDir).toBe('./data')
})

test('an operator who misspells a setting is told the right name, and nobody else is', async () => {
  const environment = { DATA_DIRR: 'x', DATABASE_URI: 'x', LOGLEVEL: 'x', HOME: '/', PATH: '/', PGHOST: 'x' }
  expect(loadConfig(environment, {}).ignored).toEqual([
    'The environment variable DATA_DIRR is not a setting and is ignored. Did you mean DATA_DIR?',
    'The environment variable DATABASE_URI is not a setting and is ignored. Did you mean DATABASE_URL?',
    'The environment variable LOGLEVEL is not a setting and is ignored. Did you mean LOG_LEVEL?',
  ])
})

test('every unknown name and unreadable line of a settings file is reported, without its value', async () => {
  await using file = await settingsFile('COLOUR=s3cret\nDATA_DIR: s3cret\n\nMAX_NAMES=3\nAWS_ACCESS_KEY_ID=s3cret\n')
  const { ignored, forLibraries } = loadConfig({}, { envFile: file.path })
  expect(ignored).toEqual([
    `COLOUR in ${file.path} is not a setting and is ignored.`,
    `MAX_NAMES in ${file.path} is not a setting and is ignored. Did you mean MAX_NAME?`,
    `Line 2 of ${file.path} is ignored: a setting is written NAME=value.`,
  ])
  expect(forLibraries).toEqual({ AWS_ACCESS_KEY_ID: 's3cret' })
})

test('lines within a quoted value are part of it, and those after it are not', async () => {
  const quoted = ['"postgres://u:p@h/db', "'x'", '# y', 'PORT=1', '" # z'].join('\r\n')
  await using file = await settingsFile(
    `DATABASE_URL= ${quoted}\r\nexport ORGANIZER='a\nb'\nstray\nHOST="open\nMORE\n#\nA-B=\`1\nPORT=2\`\nPORT=3\n`,
  )
  const read = readSettingsFile(file.path)
  expect(read?.values).toEqual({
    DATABASE_URL: "postgres://u:p@h/db\n'x'\n# y\nPORT=1\n",
    ORGANIZER: 'a\nb',
    HOST: '"open',
    PORT: '3',
  })
  expect(read?.unreadableLines).toEqual([8, 10, 12, 13])
})

test('a setting with nothing but blanks is empty, and the line after it is a setting of its own', async () => {
  await using file = await settingsFile('PUBLIC_URL= \t\r\nPORT=4000\nTIMEZONE= \n')
  expect(readSettingsFile(file.path)).toMatchObject({
    values: { PUBLIC_URL: '', PORT: '4000', TIMEZONE: '' },
    unreadableLines: [],
  })
})

test('a URL with a password on a line of its own is reported by its line alone', async () => {
  await using file = await settingsFile('PORT=80\npostgres://u:s3cret@h/db?sslmode=require\n')
  expect(loadConfig({}, { envFile: file.path }).ignored).toEqual([
    `Line 2 of ${file.path} is ignored: a setting is written NAME=value.`,
  ])
})

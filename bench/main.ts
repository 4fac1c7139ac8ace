import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { findMissingPath } from './checkout.ts'
import { compareRuns, exceedsLimit, formatComparisons, formatResults } from './report.ts'
import { standardSize } from './rows.ts'
import type { CaseResult, RunOptions } from './run.ts'
import { cases } from './workload.ts'

const parsePositiveInteger = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Expected a whole number of 1 or more.')
  return Number(text)
}

const parseCaseNames = (text: string): string[] => {
  const names = text.split(',')
  const unknown = names.filter((name) => cases.every((benchCase) => benchCase.name !== name))
  if (unknown.length === 0) return names
  throw new InvalidArgumentError(
    `Unknown case: ${unknown.join(', ')}. The cases are ${cases.map(({ name }) => name).join(', ')}.`,
  )
}

const parseCheckout = (folder: string): string => {
  const missing = findMissingPath(folder)
  if (missing === undefined) return resolve(folder)
  throw new InvalidArgumentError(`Not a checkout of Summit with its packages installed: it has no ${missing}.`)
}

const addLoadOptions = (command: Command, { rounds, seconds } = { rounds: 3, seconds: 3 }): Command =>
  command
    .option('--only <names>', 'measure only these cases, separated by commas', parseCaseNames)
    .option('--rounds <n>', 'number of rounds; each measures both sides', parsePositiveInteger, rounds)
    .option('--seconds <n>', 'seconds per measurement', parsePositiveInteger, seconds)
    .option('--connections <n>', 'number of keep-alive connections', parsePositiveInteger, 50)

const readResults = async (file: string): Promise<CaseResult[]> => JSON.parse(await readFile(file, 'utf8'))

const measureCases = async (options: Omit<RunOptions, 'databaseUrl'>): Promise<CaseResult[]> =>
  (await import('./run.ts')).runCases({ ...options, databaseUrl: process.env.DATABASE_URL })

const bench = new Command('bench').description(
  'Compares Summit with minimal implementations of the same operations, called floors. See docs/performance.md.',
)

bench
  .command('generate')
  .description('write the data set to a folder, in any size')
  .argument('<folder>', 'created if it does not exist')
  .option(
    '--topics <n>',
    'number of topics; each has 3 comments, 1 in 5 has a file and 2 likes',
    parsePositiveInteger,
    standardSize.topics,
  )
  .action(async (folder, { topics }) =>
    (await import('./data-set.ts')).writeDataSet(folder, { ...standardSize, topics }),
  )

bench
  .command('load')
  .description('replace the content of the store (DATA_DIR or DATABASE_URL) with a data set')
  .argument('<folder>', 'a data set written by generate')
  .action(async (folder) => (await import('./load-data-set.ts')).loadDataSet(folder, process.env))

addLoadOptions(bench.command('run', { isDefault: true }))
  .description(
    'measure each case and its floor, and print a table; ' +
      'with DATABASE_URL also on that PostgreSQL, whose database is emptied',
  )
  .option('--save <file>', 'also save the results as JSON, for compare and check')
  .option('--signing', 'make the floors with a database sign their responses as Summit does')
  .action(async ({ save, ...options }) => {
    const results = await measureCases(options)
    if (save) await writeFile(save, `${JSON.stringify(results, null, 2)}\n`)
    console.log(formatResults(results))
  })

bench
  .command('compare')
  .description('compare the ratios of two saved runs')
  .argument('<before>', 'the earlier run')
  .argument('<after>', 'the later run')
  .action(async (before, after) =>
    console.log(compareRuns(await readResults(before), await readResults(after)).lines.join('\n')),
  )

addLoadOptions(bench.command('check'))
  .description('measure, and fail if a ratio has fallen by more than a fifth since a saved run')
  .argument('<baseline>', 'the saved run')
  .action(async (baseline, options) => {
    const { lines, regressions } = compareRuns(await readResults(baseline), await measureCases(options))
    console.log(lines.join('\n'))
    if (regressions.length > 0) bench.error(`fallen by more than a fifth: ${regressions.join(', ')}`)
  })

addLoadOptions(bench.command('versus'), { rounds: 7, seconds: 1 })
  .description(
    'measure each case alternately with another checkout, and fail if this one takes too much processor time; ' +
      'with DATABASE_URL also on PostgreSQL, in two temporary databases on that server',
  )
  .argument('<checkout>', 'folder of the other checkout, with its packages installed', parseCheckout)
  .action(async (other, options) => {
    const comparisons = await (await import('./versus.ts')).compareCheckouts(other, {
      ...options,
      databaseUrl: process.env.DATABASE_URL,
    })
    if (comparisons.length === 0) bench.error('the selected cases need PostgreSQL; set DATABASE_URL')
    console.log(formatComparisons(comparisons))
    const exceeding = comparisons.filter(exceedsLimit).map(({ name }) => name)
    if (exceeding.length > 0) bench.error(`processor time above the limit: ${exceeding.join(', ')}`)
  })

bench
  .command('access')
  .description(
    'measure ACCESS=members with a key alternately with ACCESS=open, and fail if it is slower by more than a tenth',
  )
  .option('--rounds <n>', 'number of rounds with each of six pairs of servers', parsePositiveInteger, 3)
  .option('--seconds <n>', 'seconds per measurement', parsePositiveInteger, 1)
  .option('--connections <n>', 'number of keep-alive connections', parsePositiveInteger, 50)
  .action(async (options) => {
    const comparisons = await (await import('./access.ts')).compareAccess(options)
    console.log(formatComparisons(comparisons))
    const exceeding = comparisons.filter(exceedsLimit).map(({ name }) => name)
    if (exceeding.length > 0) bench.error(`processor time above the limit: ${exceeding.join(', ')}`)
  })

bench
  .command('photos')
  .description('measure the event loop delay while photos are uploaded and imported')
  .option('--clients <n>', 'number of concurrent uploads', parsePositiveInteger, 8)
  .option('--seconds <n>', 'seconds of uploading', parsePositiveInteger, 10)
  .action(async (options) => console.log(await (await import('./photos.ts')).measurePhotos(options)))

bench
  .command('paint')
  .description('measure the first paint of a large day of the program, with a slow phone on a slow network')
  .option('--rounds <n>', 'number of first visits', parsePositiveInteger, 5)
  .action(async ({ rounds }) => console.log(await (await import('./paint.ts')).measurePaint(rounds)))

bench
  .command('grow')
  .description(
    'measure how latency, memory and disk usage grow with the number of topics; ' +
      'with DATABASE_URL also on that PostgreSQL, whose database is emptied',
  )
  .option(
    '--sizes <list>',
    'numbers of topics, separated by commas',
    (list) => list.split(',').map(parsePositiveInteger),
    [1_000, 10_000, 100_000, 1_000_000],
  )
  .action(async ({ sizes }) =>
    console.log(await (await import('./grow.ts')).measureGrowth(sizes, process.env.DATABASE_URL)),
  )

bench
  .command('program')
  .description(
    'measure the publication of 1,000 moved sessions and the search in 2,000; with DATABASE_URL also on PostgreSQL, in a ' +
      'temporary database on that server',
  )
  .action(async () => console.log(await (await import('./program.ts')).measureProgram(process.env.DATABASE_URL)))

bench
  .command('backup')
  .description('measure how a backup delays 200 writes a second to the summit in DATA_DIR, which they change')
  .argument('<folder>', 'where the backups are written; emptied before and after')
  .action(async (folder) => {
    const { DATA_DIR: dataDir } = process.env
    if (!dataDir) return bench.error('set DATA_DIR to a summit that may be changed')
    console.log(await (await import('./backup.ts')).measureBackup(dataDir, resolve(folder)))
  })

await bench.parseAsync()

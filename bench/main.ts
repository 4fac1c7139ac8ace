import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { missingIn } from './checkout.ts'
import { standardSize } from './data.ts'
import type { Peer } from './peers/peer.ts'
import { comparison, isBeyondLimit, table, versusTable } from './report.ts'
import type { Measured, RunOptions } from './run.ts'
import { cases } from './workload.ts'

const whole = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('a whole number, please.')
  return Number(text)
}

const bench = new Command('bench').description(
  'Measures Summit next to the least that could do the same; see docs/performance.md',
)

bench
  .command('generate')
  .description('write the data set, at any size')
  .argument('<folder>')
  .option('--topics <n>', 'topics, each with 3 comments, 1 in 5 with a file and 2 likes', whole, standardSize.topics)
  .action(async (folder, { topics }) =>
    (await import('./generate.ts')).writeDataSet(folder, { ...standardSize, topics }),
  )

bench
  .command('load')
  .description('put a data set into the store that the environment names (DATA_DIR), emptied first')
  .argument('<folder>')
  .action(async (folder) => (await import('./load.ts')).loadDataSet(folder, process.env))

const caseNames = (text: string): string[] => {
  const names = text.split(',')
  const unknown = names.filter((name) => cases.every((one) => one.name !== name))
  if (unknown.length === 0) return names
  throw new InvalidArgumentError(`no case is called ${unknown.join(' or ')}.`)
}

const checkout = (folder: string): string => {
  const missing = missingIn(folder)
  if (missing === undefined) return resolve(folder)
  throw new InvalidArgumentError(`it is to be a checkout of Summit after npm ci, but has no ${missing}.`)
}

const measuring = (command: Command, { rounds, seconds } = { rounds: 3, seconds: 3 }): Command =>
  command
    .option('--only <names>', 'cases, with commas between', caseNames)
    .option('--rounds <n>', 'turns of both sides', whole, rounds)
    .option('--seconds <n>', 'of each turn of either', whole, seconds)
    .option('--connections <n>', 'keep-alive connections', whole, 50)

const measure = async (options: Omit<RunOptions, 'databaseUrl'>): Promise<Measured[]> =>
  (await import('./run.ts')).run({ ...options, databaseUrl: process.env.DATABASE_URL })

const read = async (file: string): Promise<Measured[]> => JSON.parse(await readFile(file, 'utf8'))

measuring(bench.command('run', { isDefault: true }))
  .description(
    'measure every case next to its floor, and print a table; with DATABASE_URL on PostgreSQL as well, emptied for it',
  )
  .option('--save <file>', 'keep the figures as JSON, to compare with')
  .option('--signing', 'have raw SQLite and raw pg sign their answers as ours are signed')
  .action(async ({ save, ...options }) => {
    const measured = await measure(options)
    if (save) await writeFile(save, `${JSON.stringify(measured, null, 2)}\n`)
    console.log(table(measured))
  })

bench
  .command('compare')
  .description('print the ratios of two saved runs side by side')
  .argument('<before>')
  .argument('<after>')
  .action(async (before, after) => console.log(comparison(await read(before), await read(after)).lines.join('\n')))

measuring(bench.command('check'))
  .description('measure, and fail when a ratio has fallen by more than a fifth since the baseline')
  .argument('<baseline>', 'a saved run')
  .action(async (baseline, options) => {
    const { lines, fallen } = comparison(await read(baseline), await measure(options))
    console.log(lines.join('\n'))
    if (fallen.length > 0) bench.error(`fallen by more than a fifth: ${fallen.join(', ')}`)
  })

measuring(bench.command('versus'), { rounds: 7, seconds: 1 })
  .description(
    'measure every case in turns with another checkout, and fail when this one takes more processor time than it may; ' +
      'with DATABASE_URL on PostgreSQL as well, in two databases made for it beside that one',
  )
  .argument('<checkout>', 'the folder of the other, with its packages installed', checkout)
  .action(async (other, options) => {
    const compared = await (await import('./versus.ts')).versus(other, {
      ...options,
      databaseUrl: process.env.DATABASE_URL,
    })
    if (compared.length === 0) bench.error('these cases are all on PostgreSQL, which DATABASE_URL has to name')
    console.log(versusTable(compared))
    const beyond = compared.filter(isBeyondLimit).map(({ name }) => name)
    if (beyond.length > 0) bench.error(`more processor time than the limit allows: ${beyond.join(', ')}`)
  })

measuring(bench.command('peers'), { rounds: 1, seconds: 15 })
  .description('measure the same workload with other products that have such a back end, each in turns with Summit')
  .option('--directus <folder>', 'in which it is installed: npm install --prefix FOLDER directus@12.0.2')
  .option('--node <file>', 'that runs Directus; it is made for Node 22', process.execPath)
  .option(
    '--parse <folder>',
    'in which Parse Server is installed: npm install --prefix FOLDER parse-server@9.10.0 router@2.2.0; ' +
      'both are on the server of DATABASE_URL, whose database is emptied, and another made beside it',
  )
  .action(async ({ directus: folder, node, parse, ...options }) => {
    const others: Peer[] = []
    if (folder) others.push((await import('./peers/directus.ts')).directus(folder, node))
    if (parse) {
      const { DATABASE_URL: databaseUrl } = process.env
      if (!databaseUrl) return bench.error('--parse needs DATABASE_URL, a PostgreSQL to measure on')
      others.push((await import('./peers/parse-server.ts')).parseServer(parse, databaseUrl))
    }
    if (others.length === 0) return bench.error('name at least one other product: --directus or --parse')
    console.log(await (await import('./peers/run.ts')).peers(others, options))
  })

bench
  .command('photos')
  .description('measure how late the event loop is while photos are uploaded and imported')
  .option('--clients <n>', 'that upload at once', whole, 8)
  .option('--seconds <n>', 'of uploading', whole, 10)
  .action(async (options) => console.log(await (await import('./photos.ts')).photos(options)))

bench
  .command('grow')
  .description('measure how latency and memory change with the number of topics, in a folder and at DATABASE_URL')
  .option(
    '--sizes <list>',
    'topics, with commas between',
    (list) => list.split(',').map(whole),
    [1_000, 10_000, 100_000, 1_000_000],
  )
  .action(async ({ sizes }) => console.log(await (await import('./grow.ts')).grow(sizes, process.env.DATABASE_URL)))

await bench.parseAsync()

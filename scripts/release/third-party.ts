import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mayBeContained } from './licenses.ts'

/** A package of which the built program contains at least one file. */
interface ContainedPackage {
  name: string
  version: string
  license: string
  /** Its licence and notice files. */
  texts: string[]
}

/**
 * The licences of all packages that the built program contains, as its file `THIRD-PARTY-LICENSES`.
 * @param files the paths of all files in it
 * @throws Error if a licence is not permissive
 */
export async function describeThirdParties(files: Iterable<string>): Promise<string> {
  const folders = new Set(Array.from(files, packageFolder).filter((folder) => folder !== undefined))
  const packages = await Promise.all([...folders].sort().map(readPackage))
  const refused = packages.filter(({ license }) => !mayBeContained(license))
  if (refused.length > 0)
    throw new Error(
      `Not permissive: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}. See installed-separately.ts.`,
    )
  return `${[
    'Summit contains these packages, in whole or in part. Its own licence is in LICENSE.',
    ...Array.from(
      Map.groupBy(packages, ({ texts }) => texts.join('\n\n')),
      ([texts, sharing]) =>
        [sharing.map(({ name, version, license }) => `${name} ${version}: ${license}`).join('\n'), texts].join('\n\n'),
    ),
  ].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The folder of the package that contains the file; undefined for our own files. */
const packageFolder = (file: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]

async function readPackage(folder: string): Promise<ContainedPackage> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const names = (await readdir(folder)).filter((file) => /(^|\.)(licen[cs]e|copying|notice)/i.test(file)).sort()
  const texts = await Promise.all(names.map((file) => readFile(join(folder, file), 'utf8')))
  // Some packages state their licence only in package.json.
  const holder = typeof author === 'object' ? author.name : author
  return { name, version, license: String(license), texts: texts.length > 0 ? texts : [`Copyright ${holder ?? name}`] }
}

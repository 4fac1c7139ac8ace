import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

/**
 * The version of a build of a checkout: that of `package.json` for a release, otherwise the next one with the commit, such
 * as `0.3.0-dev.1a2b3c4d5e`, so that no two different programs have the same. A release is a commit with the tag `v0.2.0`
 * and without changes. Where git does not say, it is a changelog without unreleased entries, and the hash of the sources
 * takes the place of the commit.
 */
export function versionOf(checkout: string): string {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  const [major, minor] = version.split('.')
  const next = `${major}.${Number(minor) + 1}.0-dev`
  const state = describe(checkout)
  if (!state) return hasUnreleasedEntries(checkout) ? `${next}.src-${hashSources(checkout)}` : version
  if (state.tag === `v${version}` && !state.isDirty) return version
  return `${next}.${state.commit}${state.isDirty ? '.dirty' : ''}`
}

/** @returns undefined without git, or if the checkout is no repository of its own */
function describe(checkout: string): { tag: string | undefined; commit: string; isDirty: boolean } | undefined {
  const git = (...args: string[]) => {
    const options = [`--git-dir=${join(checkout, '.git')}`, `--work-tree=${checkout}`]
    const { status, stdout } = spawnSync('git', [...options, ...args], { encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  const hash = git('rev-parse', 'HEAD')
  const changes = git('status', '--porcelain', '--untracked-files=no')
  if (hash === undefined || changes === undefined) return undefined
  // A number with leading zeros is no part of a version.
  const commit = /^0\d{9}/.test(hash) ? `g${hash.slice(0, 10)}` : hash.slice(0, 10)
  return { tag: git('describe', '--tags', '--exact-match', '--match=v*'), commit, isDirty: changes !== '' }
}

function hashSources(checkout: string): string {
  const hash = createHash('sha256')
  for (const path of globSync(['package-lock.json', 'src/**/*.*'], { cwd: checkout }).sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(checkout, path)))
      .update('\0')
  return hash.digest('hex').slice(0, 10)
}

const hasUnreleasedEntries = (checkout: string): boolean =>
  /^## \[Unreleased\]\s+(?!## |\s|$)/m.test(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8'))

/** The version of a build of this checkout. `VERSION` is that of a build where there is no git, such as of an image. */
export const buildVersion = (): string => process.env.VERSION || versionOf(root)

if (import.meta.main) console.log(buildVersion())

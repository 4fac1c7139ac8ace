import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { versionOf } from '../../scripts/release/version.ts'
import { findProgram } from '../find-program.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'

const changelog = (entries: string) => `# Changelog\n\n## [Unreleased]\n\n${entries}## [0.2.0] - 2026-11-23\n\n- All.\n`

async function createCheckout(dir: string, version = '0.2.0') {
  await writeFile(join(dir, 'package.json'), JSON.stringify({ version }))
  await writeFile(join(dir, 'CHANGELOG.md'), changelog('### Added\n\n- More.\n\n'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@x.example', ...args], { cwd: dir, encoding: 'utf8' })
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message=More')
    return git('rev-parse', 'HEAD').slice(0, 10)
  }
  return { git, commit }
}

test.skipIf(!findProgram('git'))('a build has the version of its tag, or the next one with its commit', async () => {
  await using folder = await createTemporaryFolder()
  const dir = folder.path
  const { git, commit } = await createCheckout(dir)
  git('init', '--quiet')
  expect(versionOf(dir)).toMatch(/^0\.3\.0-dev\.src-[0-9a-f]{10}$/)
  const first = commit()
  expect(versionOf(dir)).toBe(`0.3.0-dev.${first}`)
  git('tag', 'v0.2.0')
  expect(versionOf(dir)).toBe('0.2.0')
  await writeFile(join(dir, 'notes'), 'not part of the program')
  expect(versionOf(dir)).toBe('0.2.0')
  await writeFile(join(dir, 'CHANGELOG.md'), changelog(''))
  expect(versionOf(dir)).toBe(`0.3.0-dev.${first}.dirty`)
  const second = commit()
  expect(second).not.toBe(first)
  expect(versionOf(dir)).toBe(`0.3.0-dev.${second}`)
  git('tag', 'v0.1.0')
  expect(versionOf(dir)).toBe(`0.3.0-dev.${second}`)
})

test('a build without git is named after its sources, or is the release if the changelog has no unreleased entries', async () => {
  await using folder = await createTemporaryFolder()
  // As in an archive below the repository of somebody else.
  const dir = join(folder.path, 'summit')
  await mkdir(dir)
  await createCheckout(dir, '1.4.2')
  await mkdir(join(dir, 'src', 'server'), { recursive: true })
  const versions = new Set<string>()
  for (const source of ['one', 'two']) {
    await writeFile(join(dir, 'src', 'server', 'main.ts'), source)
    expect(versionOf(dir)).toMatch(/^1\.5\.0-dev\.src-[0-9a-f]{10}$/)
    versions.add(versionOf(dir)).add(versionOf(dir))
  }
  expect(versions.size).toBe(2)
  await writeFile(join(dir, 'CHANGELOG.md'), changelog(''))
  expect(versionOf(dir)).toBe('1.4.2')
})

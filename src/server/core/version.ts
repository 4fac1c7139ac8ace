import packageJson from '../../../package.json' with { type: 'json' }

/**
 * The version of this program: of a build, the one with which it was built (`scripts/release/version.ts`); of sources,
 * that of `package.json`, and that they may have changed since.
 */
export const version: string = import.meta.url.endsWith('.ts') ? `${packageJson.version}+source` : packageJson.version

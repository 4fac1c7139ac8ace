import { configDefaults, defineConfig } from 'vitest/config'

/** `npm run test:long` also runs what takes minutes. */
const isLong = process.env.TEST_LONG === '1'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : ['**/*.long.test.ts'])],
    // Each file builds its own server and database; nothing is shared that a file of its own process would protect.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 20_000,
    reporters: ['default', './test/plain-reporter.ts'],
  },
})

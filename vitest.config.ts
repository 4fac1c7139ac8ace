import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Each file builds its own server and database; nothing is shared that a file of its own process would protect.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 20_000,
    reporters: ['default', './test/plain-reporter.ts'],
  },
})

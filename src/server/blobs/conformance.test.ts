import { describe } from 'vitest'
import { createTestStore, declareConformanceTests } from './conformance.fixtures.ts'
import { openFsBlobs } from './fs.ts'

const openStore = () =>
  createTestStore((dir) =>
    openFsBlobs(dir, (error) => {
      throw error
    }),
  )

describe('blobs in a folder', () => declareConformanceTests(openStore))

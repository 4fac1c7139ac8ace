import { describe } from 'vitest'
import { declareConformanceTests, openFolderStore } from './conformance.fixtures.ts'

describe('blobs in a folder', () => declareConformanceTests(openFolderStore))

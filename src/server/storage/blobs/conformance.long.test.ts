import { afterAll, beforeAll, describe } from 'vitest'
import { type Radosgw, radosgwMissing, startRadosgw } from '../../../../test/radosgw.ts'
import { parseS3Url } from './blob-target.ts'
import {
  createTestStore,
  declareConformanceTests,
  declareLargeConformanceTests,
  openFolderStore,
} from './conformance.fixtures.ts'
import { openS3Blobs } from './s3.ts'

describe('blobs in a folder', () => declareLargeConformanceTests(openFolderStore))

if (radosgwMissing) console.warn(`skipped: ${radosgwMissing}`)

describe.skipIf(radosgwMissing !== undefined)('blobs in S3', () => {
  let s3: Radosgw | undefined
  let buckets = 0

  beforeAll(async () => {
    s3 = await startRadosgw()
  })
  afterAll(() => s3?.[Symbol.asyncDispose]())

  const openStore = async () => {
    if (!s3) throw new Error('no S3')
    const bucket = `summit-${++buckets}`
    await s3.createBucket(bucket)
    const url = `s3://${s3.accessKeyId}:${s3.secretAccessKey}@${bucket}/a/prefix?endpoint=${encodeURIComponent(s3.url)}`
    return createTestStore((dir) => openS3Blobs(parseS3Url(url), dir))
  }

  declareConformanceTests(openStore)
  declareLargeConformanceTests(openStore)
})

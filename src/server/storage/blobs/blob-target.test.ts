import { describe, expect, test } from 'vitest'
import { parseS3Url } from './blob-target.ts'

describe('BLOBS_URL', () => {
  test('with a bucket alone means Amazon S3', () => {
    expect(parseS3Url('s3://summit')).toEqual({
      kind: 's3',
      bucket: 'summit',
      prefix: '',
      region: 'us-east-1',
      forcePathStyle: false,
    })
  })

  test('may have credentials, a prefix and all parameters', () => {
    const url =
      's3://KEY:a%2Fb+c%3D@summit/2030/blobs/?endpoint=http://127.0.0.1:7480&region=eu-west-1&path-style=false'
    expect(parseS3Url(url)).toEqual({
      kind: 's3',
      bucket: 'summit',
      prefix: '2030/blobs/',
      region: 'eu-west-1',
      endpoint: 'http://127.0.0.1:7480',
      forcePathStyle: false,
      credentials: { accessKeyId: 'KEY', secretAccessKey: 'a/b+c=' },
    })
  })

  test('with an endpoint defaults to path style', () => {
    expect(parseS3Url('s3://summit?endpoint=https://s3.example').forcePathStyle).toBe(true)
  })

  test.each([
    'summit',
    'https://summit',
    's3://',
    's3:///prefix',
    's3://Summit_1',
    's3://KEY:s3cret@summit:9000',
    's3://KEY@summit',
    's3://:s3cret@summit',
    's3://KEY:%zz-s3cret@summit',
    's3://KEY:s3cret/more@summit',
    's3://KEY:s3cret@summit?path-style=yes',
    's3://KEY:s3cret@summit?region=EU',
    's3://KEY:s3cret@summit?endpoint=127.0.0.1:7480',
    's3://KEY:s3cret@summit?endpoint=http://KEY:s3cret@127.0.0.1',
    's3://KEY:s3cret@summit?style=path',
    's3://KEY:s3cret@summit/a%20b',
    's3://KEY:s3cret@summit#x',
  ])('is rejected with a message that does not quote it: %s', (url) => {
    expect(() => parseS3Url(url)).toThrow(/^(?!.*s3cret)(is|has|must) /)
  })
})

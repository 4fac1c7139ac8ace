import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { describeUntrustedProxy } from './untrusted-proxy.ts'

const https = { PUBLIC_URL: 'https://summit.example' }

const describeFor = (settings: Record<string, string>) =>
  describeUntrustedProxy(readConfig({ ACCESS: 'members', ...settings }).config)

test.each([
  [https, /^TRUSTED_PROXIES is not set, so all clients of the proxy count as one\. /],
  [{ ...https, HOST: '0.0.0.0' }, /^TRUSTED_PROXIES is not set/],
  [{ ...https, TRUSTED_PROXIES: '10.0.0.0/8' }, /^TRUSTED_PROXIES does not contain 127\.0\.0\.1, so all clients /],
  [{ PUBLIC_URL: 'http://localhost:8080', PORT: '3000' }, /^TRUSTED_PROXIES is not set/],
])('with %j, a proxy is not trusted', (settings, message) => {
  expect(describeFor(settings)).toMatch(message)
})

test.each([
  { ...https, TRUSTED_PROXIES: '127.0.0.1' },
  { ...https, TRUSTED_PROXIES: '10.0.0.0/8,loopback', HOST: '::1' },
  { ...https, TRUSTED_PROXIES: '10.0.0.0/8', HOST: '0.0.0.0' },
  { PUBLIC_URL: 'http://localhost:3000', PORT: '3000' },
  { ACCESS: 'open' },
])('with %j, the settings show no proxy that is not trusted', (settings) => {
  expect(describeFor(settings)).toBe(undefined)
})

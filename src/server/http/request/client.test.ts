import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { unreadableNetwork } from '../../core/principal.ts'
import { createNetworkReader, createProxyDetector } from './client.ts'

// Who has sent a request, by the address of its connection and what proxies add.

const request = (remoteAddress: string, forwardedFor?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } }) as unknown as IncomingMessage

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  [' 198.51.100.1 , 203.0.113.7:80 ', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7, 10.0.0.2:443', '203.0.113.7'],
  ['203.0.113.7,', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['[fe80::1%eth0]:4711', 'fe80::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['192.168.1.5', '192.168.1.5'],
])('behind trusted proxies, the client of “%s” is %s', (forwardedFor, network) => {
  const read = createNetworkReader(['127.0.0.1', '10.0.0.0/8'])
  for (const proxy of ['127.0.0.1', '::ffff:127.0.0.1', '10.0.0.1'])
    expect(read(request(proxy, forwardedFor))).toBe(network)
})

test.each([
  'unknown',
  'visit https://evil.example',
  '203.0.113.7 visit https://evil.example',
  '198.51.100.1, "203.0.113.7"',
  '203.0.113.7:port',
  '203.0.113.7:123456',
  '203.0.113',
  '0xcb007107',
  '3405803783',
  '[203.0.113.7]:80',
  '[2001:db8::1',
  '2001:db8::1]:80',
])('behind trusted proxies, all clients of what is no address, as “%s”, are one', (forwardedFor) => {
  expect(createNetworkReader(['127.0.0.1'])(request('127.0.0.1', forwardedFor))).toBe(unreadableNetwork)
})

test('what a client claims in front of an address counts for nothing', () => {
  const read = createNetworkReader(['127.0.0.1'])
  expect(read(request('127.0.0.1', 'visit https://evil.example, 203.0.113.7'))).toBe('203.0.113.7')
  expect(read(request('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7')
})

test('a trusted proxy that does not say for whom it sends a request is no client', () => {
  const read = createNetworkReader(['127.0.0.1', '10.0.0.0/8'])
  expect([undefined, '', ' , ', '10.0.0.2'].map((value) => read(request('127.0.0.1', value)))).toEqual(['', '', '', ''])
})

test.each([
  '127.0.0.1',
  '::1',
  '10.0.0.1',
  '172.18.0.1',
  '192.168.1.5',
  '100.64.0.1',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
])('a connection from %s may be that of a proxy, and is no client unless the proxy is trusted', (address) => {
  for (const trusted of [[], ['192.0.2.1']]) {
    expect(createNetworkReader(trusted)(request(address, '203.0.113.7'))).toBe('')
    expect(createProxyDetector(trusted)(request(address, '203.0.113.7'))).toBe(true)
    expect(createProxyDetector(trusted)(request(address))).toBe(false)
  }
  expect(createProxyDetector([address])(request(address, '203.0.113.7'))).toBe(false)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3::1', '2001:db8:1:2::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
])('a connection from %s is that of a client, also without proxies', (address, network) => {
  expect(createNetworkReader([])(request(address, '198.51.100.1'))).toBe(network)
  expect(createNetworkReader(['127.0.0.1'])(request(address, '198.51.100.1'))).toBe(network)
  expect(createProxyDetector([])(request(address, '198.51.100.1'))).toBe(false)
})

import { expect, test } from 'vitest'
import { isPublicAddress } from './resolve.ts'

test.each(['93.184.216.34', '1.1.1.1', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450::200e'])(
  '%s is a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
  ['shared by customers of a provider', '100.64.0.1', '100.127.255.255'],
  ['link-local', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  [
    'of a cloud machine’s metadata',
    '169.254.169.254',
    'fd00:ec2::254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
  ],
  ['multicast or broadcast', '224.0.0.1', '239.1.1.1', '255.255.255.255', 'ff02::1'],
  ['reserved', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '2001:db8::1', '3fff::1'],
  ['of IPv4 within IPv6', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  ['of IPv4 behind a translator', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001:0:1::1'],
  ['outside of what is assigned', '4000::1', '5f00::1', '100::1', '200::1'],
])('addresses that are %s are not public', (_, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})

import { expect, test } from 'vitest'
import { clientAddressOf, isTrusted } from '../../api/access/client-address.ts'

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/48', '2001:db9::7']

test.each([
  [true, ['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8:0:1::1', '2001:db9::7']],
  [false, ['9.255.255.255', '11.0.0.0', '192.0.2.6', '192.0.2.8', '2001:db8:1::1', '2001:db9::6', '::1', '']],
])('addresses are trusted as proxies: %s', (trusted, addresses) => {
  // The second lookup comes from the cache.
  for (const address of [...addresses, ...addresses])
    expect([address, isTrusted(address, proxies)]).toEqual([address, trusted])
})

test('nothing is trusted without proxies or without an address', () => {
  expect(isTrusted('10.0.0.1', [])).toBe(false)
  expect(isTrusted(undefined, proxies)).toBe(false)
})

test.each([
  ['no proxy', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['a proxy without the header', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['an address claimed by the client', '10.0.0.1', '198.51.100.9, 198.51.100.1', '198.51.100.1'],
  ['two proxies', '10.0.0.1', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
  ['proxies alone', '10.0.0.1', '10.0.0.2,10.0.0.3', '10.0.0.2'],
  ['a text that is not an address', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['a text before a proxy', '10.0.0.1', 'unknown, 10.0.0.2', '10.0.0.2'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['a port of many digits', '10.0.0.1', '198.51.100.1:65535', '198.51.100.1'],
  ['an invalid port', '10.0.0.1', '198.51.100.1:x', '10.0.0.1'],
  ['a text after a port', '10.0.0.1', '198.51.100.1:1x', '10.0.0.1'],
  ['a text before a port', '10.0.0.1', 'a198.51.100.1:1', '10.0.0.1'],
  ['IPv6 in brackets', '10.0.0.1', '[2001:db8:ffff:2:3::1]', '2001:db8:ffff:2::/64'],
  ['IPv6 in brackets with a port', '10.0.0.1', '[2001:db8:ffff:2:3::1]:65535', '2001:db8:ffff:2::/64'],
  ['IPv6 in brackets and more', '10.0.0.1', '[2001:db8:ffff:2:3::1]x', '10.0.0.1'],
  ['IPv6 after a text', '10.0.0.1', 'x[2001:db8:ffff:2:3::1]', '10.0.0.1'],
  ['IPv6', '2001:db8:ffff:2:3:4:5:6', undefined, '2001:db8:ffff:2::/64'],
  ['IPv6 with a hexadecimal part', 'fe80::abcd', undefined, 'fe80:0:0:0::/64'],
  ['IPv4 in IPv6', '::ffff:198.51.100.1', undefined, '198.51.100.1'],
  ['no connection', undefined, '198.51.100.1', ''],
])('a request counts for one client address with %s', (_what, remoteAddress, forwarded, expected) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  // Boundary: the parts of a context that the function reads.
  const request = { req: { socket: { remoteAddress } }, headers } as unknown as Parameters<typeof clientAddressOf>[0]
  expect(clientAddressOf(request, proxies)).toBe(expected)
  expect(clientAddressOf(request, proxies)).toBe(expected)
})

test('a cached result for one list of proxies is not used for another', () => {
  expect(isTrusted('10.0.0.1', proxies)).toBe(true)
  expect(isTrusted('10.0.0.1', ['192.0.2.7'])).toBe(false)
})

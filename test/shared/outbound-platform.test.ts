import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkPlatformUrl } from '../../shared/outbound/check-outbound-url.ts'
import { isPrivateAddress } from '../../shared/outbound/classify-address.ts'
import { createOutbound } from '../../shared/outbound/outbound.ts'
import { resolveBySystem } from '../../shared/outbound/resolve-host.ts'

/** Returns the status of a call to a URL, or the reason why it failed. */
async function call(url: string, onlyOrigins: string[], addresses: string[] = []): Promise<unknown> {
  const outbound = createOutbound({ allowLoopback: false, onlyOrigins, resolve: async () => addresses })
  onTestFinished(() => outbound.close())
  const sent = outbound.request({ method: 'GET', url, timeoutMs: 300, maxResponseBytes: 1_000 })
  return sent.then(
    ({ status }) => status,
    ({ reason }) => reason,
  )
}

async function listen(): Promise<string> {
  const server = createServer((_, response) => response.end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  [true, ['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fc00::1', 'fd12::1']],
  [false, ['93.184.216.34', '127.0.0.1', '169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254']],
  [false, ['fe80::1', '::ffff:10.0.0.1', '224.0.0.1', '0.0.0.0', '172.32.0.1', 'signer', '']],
])('whether an address is in an own network is %s', (expected, addresses) => {
  expect(addresses.map(isPrivateAddress)).toEqual(addresses.map(() => expected))
})

test.each([
  ['https://signer', undefined],
  ['https://10.0.0.5:8443/base', undefined],
  ['https://signer.namespace.svc.cluster.local', undefined],
  ['http://127.0.0.1:4010', undefined],
  ['http://localhost:4010', undefined],
  ['http://signer.internal', 'must use https'],
  ['ftp://localhost', 'must use https'],
  ['https://user:secret@signer', 'must not contain credentials'],
  ['https://signer#part', 'must not have a fragment'],
  ['signer', 'must be a plain absolute URL such as https://example.com/path'],
])('the URL %s of the settings of the platform is checked', (url, refusal) => {
  expect(checkPlatformUrl(url)).toBe(refusal)
})

test('only the origins of the settings are called, and they can be on this machine', async () => {
  const [ours, other] = [await listen(), await listen()]
  expect(await call(`${ours}/path`, [ours])).toBe(200)
  expect(await call(other, [ours])).toBe('refused_url')
  expect(await call('https://example.com', [ours])).toBe('refused_url')
})

test.each([
  ['a private address', ['10.255.255.1'], /^(connection|timeout|tls)$/],
  ['a metadata service', ['169.254.169.254'], /^refused_address$/],
  ['a private address and a metadata service', ['10.255.255.1', '100.100.100.200'], /^refused_address$/],
])('a host of the settings with %s', async (_, addresses, outcome) => {
  expect(await call('https://signer.internal', ['https://signer.internal'], addresses)).toMatch(outcome)
})

test('a host is resolved as the machine does', async () => {
  expect(await resolveBySystem('localhost')).toContain('127.0.0.1')
  await expect(resolveBySystem('unknown.invalid')).rejects.toThrow()
})

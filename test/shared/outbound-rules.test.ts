import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { plusMs, systemClock } from '../../shared/clock.ts'
import { checkOutboundUrl, faultOfWebUrl, findUrlFault } from '../../shared/outbound/check-outbound-url.ts'
import { createConnector } from '../../shared/outbound/checked-connector.ts'
import { classifyAddress } from '../../shared/outbound/classify-address.ts'
import { createOutbound, type OutboundOptions, type OutboundRequest } from '../../shared/outbound/outbound.ts'
import { OutboundError, toOutboundError } from '../../shared/outbound/outbound-error.ts'
import { findRedirect } from '../../shared/outbound/redirect.ts'
import { createResolver } from '../../shared/outbound/resolve-host.ts'

/** IPv6 outside of all allocations, but in the range of public addresses: no packet to it leaves the machine. */
const unroutable = '2d00::1'

test.each([
  ['public', ['93.184.216.34', '1.1.1.1', '2606:2800:220:1::1', '3ffe::1', unroutable]],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['refused', ['10.0.0.1', '168.63.129.16', '::7f00:1', '4000::1', 'fe80::1', 'localhost', '', '1.1.1.1.']],
])('an address is classified as %s', (kind, addresses) => {
  expect(addresses.map(classifyAddress)).toEqual(addresses.map(() => kind))
})

test('a fault of a URL is described in a sentence', () => {
  const rules = { allowLoopback: false }
  const absolute = 'Must be a plain absolute URL such as https://example.com/path'
  expect(findUrlFault('https://hooks.example.com', rules)).toBeUndefined()
  expect(findUrlFault('http://hooks.example.com', rules)).toBe('Must use https')
  expect(findUrlFault('hooks', rules)).toBe(absolute)
  expect(faultOfWebUrl('http://hooks.example.com')).toBe('Must use https')
  expect(faultOfWebUrl('hooks')).toBe(absolute)
  expect(faultOfWebUrl('https://hooks.example.com')).toBe(absolute)
})

test('a URL has at most 4096 characters, and a local name counts only at the end of a host', () => {
  const rules = { allowLoopback: false }
  const start = 'https://a.example/'
  expect(checkOutboundUrl(start.padEnd(4_096, 'a'), rules)).toBeUndefined()
  expect(checkOutboundUrl(start.padEnd(4_097, 'a'), rules)).toContain('plain absolute')
  expect(checkOutboundUrl('https://a.local.example.com', rules)).toBeUndefined()
})

test('another scheme is refused for loopback too', () => {
  expect(checkOutboundUrl('ftp://localhost', { allowLoopback: true })).toBe('must use https')
})

test.each([
  [false, [], '127.0.0.1', false],
  [false, ['http://127.0.0.1:PORT'], '127.0.0.1', true],
  [false, ['http://127.0.0.1'], '127.0.0.1', false],
  [false, ['http://10.0.0.1:PORT'], '10.0.0.1', false],
  [true, [], '127.0.0.1', true],
  [true, [], '10.0.0.1', false],
])('the connector with allowLoopback %s and origins %j connects to the literal %s: %s', async (...given) => {
  const [allowLoopback, origins, hostname, isConnected] = given
  const { port } = await listen((_, response) => response.end())
  const resolve = vi.fn(async () => [])
  const allowOrigins = origins.map((origin) => origin.replace('PORT', `${port}`))
  const connect = createConnector({ allowLoopback, allowOrigins, resolve, clock: systemClock })
  const target = { hostname, host: `${hostname}:${port}`, protocol: 'http:', port: `${port}` }
  const error = await new Promise((done) =>
    connect(target, (failure, socket) => {
      socket?.destroy()
      done(failure)
    }),
  )
  if (isConnected) expect(error).toBeNull()
  else expect(error).toMatchObject({ reason: 'refused_address' })
  expect(resolve).not.toHaveBeenCalled()
})

test('a host with a public address may be called', async () => {
  const outbound = newOutbound({ allowLoopback: false, resolve: async () => [unroutable] })
  expect(await failure(outbound.request({ ...get('https://hooks.test/'), timeoutMs: 200 }))).toMatch(
    /^(connection|timeout)$/,
  )
})

test('a name of this machine is not sent to the resolver', async () => {
  const { port } = await listen((_, response) => response.end())
  const resolve = vi.fn(async () => ['10.0.0.1'])
  const outbound = newOutbound({ resolve })
  expect(await outbound.request(get(`http://localhost:${port}/`))).toMatchObject({ status: 200 })
  expect(await outbound.request(get(`http://a.localhost:${port}/`))).toMatchObject({ status: 200 })
  expect(resolve).not.toHaveBeenCalled()
})

test('an address that does not answer is skipped for the next one', async () => {
  const { port } = await listen((_, response) => response.end())
  const connect = createConnector({
    ...{ allowLoopback: true, allowOrigins: [], clock: systemClock },
    resolve: async () => ['127.0.0.9', '127.0.0.1'],
  })
  const target = { hostname: 'hooks.test', host: 'hooks.test', protocol: 'http:', port: `${port}` }
  const error = await new Promise((done) =>
    connect(target, (failure, socket) => {
      socket?.destroy()
      done(failure)
    }),
  )
  expect(error).toBeNull()
})

test.each([
  ['after two seconds', 0],
  ['after two seconds, also if the clock was set back by an hour', -3_600_000],
])('a host that was not found is resolved again %s', async (_, jumpMs) => {
  let now = new Date()
  const resolve = vi.fn(async () => ['10.0.0.1']).mockRejectedValueOnce(new Error('SERVFAIL'))
  const outbound = newOutbound({ resolve, clock: { now: () => now } })
  const ask = async () => {
    await sleep(5) // The cache reads the clock once in a millisecond.
    return failure(outbound.request(get('https://hooks.test/')))
  }
  expect(await ask()).toBe('dns')
  now = plusMs(now, jumpMs)
  expect(await ask()).toBe('dns')
  now = plusMs(now, 1_900)
  expect(await ask()).toBe('dns')
  now = plusMs(now, 200)
  expect(await ask()).toBe('refused_address')
  expect(resolve).toHaveBeenCalledTimes(2)
})

test('the resolver queries both families, and one of them is enough', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(Resolver.prototype, 'resolve4').mockResolvedValue(['192.0.2.1'])
  const resolve6 = vi.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('ENODATA'))
  expect(await createResolver()('hooks.test')).toEqual(['192.0.2.1'])
  resolve6.mockResolvedValue(['2001:db8::1'])
  expect(await createResolver()('hooks.test')).toEqual(['192.0.2.1', '2001:db8::1'])
})

test.each([
  ['ECONNREFUSED', 'reads the configured name servers again', 2],
  ['ETIMEOUT', 'reads the configured name servers again', 2],
  ['ENOTFOUND', 'uses the same resolver', 1],
  ['ENODATA', 'uses the same resolver', 1],
])('after %s, the next query %s', async (code, _, resolvers) => {
  onTestFinished(() => void vi.restoreAllMocks())
  const failure = Object.assign(new Error(code), { code })
  const resolve4 = vi.spyOn(Resolver.prototype, 'resolve4').mockRejectedValueOnce(failure)
  resolve4.mockResolvedValue(['192.0.2.1'])
  vi.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(failure)
  const resolve = createResolver()
  expect(await resolve('hooks.test')).toEqual([])
  expect(await resolve('hooks.test')).toEqual(['192.0.2.1'])
  expect(new Set(resolve4.mock.contexts).size).toBe(resolvers)
})

test('an error has its reason, and its detail if there is one', () => {
  const plain = new OutboundError('dns')
  expect(`${plain}`).toBe('OutboundError: The host name could not be resolved')
  expect(new OutboundError('redirect', { detail: 'it loops' }).message).toBe('The redirect is not allowed: it loops')
  expect(toOutboundError(plain)).toBe(plain)
})

test.each([
  [Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' }), 'timeout', 'UND_ERR_CONNECT_TIMEOUT'],
  [Object.assign(new Error(), { code: 'ETIMEDOUT' }), 'timeout', 'ETIMEDOUT'],
  [Object.assign(new Error(), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  [Object.assign(new Error(), { code: 'ECONNRESET' }), 'connection', 'ECONNRESET'],
  [Object.assign(new Error(), { code: 111 }), 'connection', undefined],
  [new Error(), 'connection', undefined],
  [{ code: 'ETIMEDOUT' }, 'connection', undefined],
  ['ETIMEDOUT', 'connection', undefined],
])('an error of a library gets a reason: %s', (thrown, reason, code) => {
  const { reason: found, code: foundCode } = toOutboundError(thrown)
  expect([found, foundCode]).toEqual([reason, code])
})

test('refusals name their detail', async () => {
  const messageOf = (sent: Promise<unknown>) => sent.catch(({ message }) => message)
  const { url } = await listen((_, response) => response.writeHead(302).end())
  const outbound = newOutbound({})
  expect(await messageOf(outbound.request(get('hooks')))).toMatch(/: it must be a plain absolute URL$/)
  expect(await messageOf(outbound.request(get('ftp://a.example')))).toMatch(/: it must use https$/)
  const following = { ...get(url), maxRedirects: 1 }
  expect(await messageOf(outbound.request(following))).toMatch(/: the Location is missing or malformed$/)
})

test('a redirect from https to http is refused with its reason', () => {
  const answer = { status: 302, headers: { location: 'http://a.example/' }, body: Buffer.alloc(0), truncated: false }
  expect(() => findRedirect(new URL('https://a.example/'), answer)).toThrow(/: it changes from https to http$/)
  expect(findRedirect(new URL('http://a.example/'), answer)?.href).toBe('http://a.example/')
})

test('redirects are followed up to the limit, also for HEAD, with all headers to the same origin', async () => {
  const { url, requests } = await listen((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` })
    response.end()
  })
  const outbound = newOutbound({})
  const headers = { authorization: 'Bearer x' }
  const follow = (redirects: number, method: 'GET' | 'HEAD' = 'GET') =>
    outbound.request({ ...get(`${url}${redirects}`), method, headers, maxRedirects: 2 })
  expect(await follow(2)).toMatchObject({ status: 200 })
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer x', 'Bearer x', 'Bearer x'])
  expect(await follow(1, 'HEAD')).toMatchObject({ status: 200 })
  await expect(follow(3)).rejects.toMatchObject({
    reason: 'redirect',
    message: expect.stringMatching(/: there are too many redirects$/),
  })
})

test('headers without credentials are sent to another origin', async () => {
  const target = await listen((_, response) => response.end())
  const { url } = await listen((_, response) => response.writeHead(302, { location: target.url }).end())
  const harmless = { accept: 'text/plain', 'accept-language': 'de', 'user-agent': 'Own' }
  const headers = { ...harmless, cookie: 'a=b', 'x-host': 'c' }
  await newOutbound({}).request({ ...get(url), headers, maxRedirects: 1 })
  const { headers: arrived = {}, rawHeaders = [] } = target.requests[0] ?? {}
  expect(arrived).toMatchObject(harmless)
  expect(Object.keys(arrived)).not.toEqual(expect.arrayContaining(['cookie']))
  expect(Object.keys(arrived)).not.toEqual(expect.arrayContaining(['x-host']))
  expect(rawHeaders.filter((each) => each.toLowerCase() === 'user-agent')).toHaveLength(1)
})

test('a header whose name only contains a reserved name is sent', async () => {
  const { url, requests } = await listen((_, response) => response.end())
  await newOutbound({}).request({ ...get(url), headers: { 'x-host': 'a', 'connection-id': 'b' } })
  expect(requests[0]?.headers).toMatchObject({ 'x-host': 'a', 'connection-id': 'b' })
})

test('an answer that exceeds the limit is truncated', async () => {
  const { url } = await listen((_, response) => {
    response.write('x'.repeat(100))
    setTimeout(() => response.end('y'), 50)
  })
  const request = { ...get(url), maxResponseBytes: 100, overflow: 'truncate' } as const
  expect(await newOutbound({}).request(request)).toMatchObject({ truncated: true, body: Buffer.alloc(100, 'x') })
})

test("a request's time limit does not end the next request on its connection", async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { promise: isSlow, resolve: answer } = Promise.withResolvers<void>()
  const server = await listen(async (request, response) => {
    if (request.url === '/slow') await isSlow
    response.end()
  })
  const outbound = newOutbound({})
  await outbound.request({ ...get(server.url), timeoutMs: 250 })
  await tick() // The connection is free again.
  const slow = outbound.request(get(`${server.url}slow`))
  await expect.poll(() => server.requests.length).toBe(2)
  await vi.advanceTimersByTimeAsync(500)
  answer()
  expect(await slow).toMatchObject({ status: 200 })
  expect(server.connections()).toBe(1)
})

function get(url: string): OutboundRequest {
  return { method: 'GET', url, timeoutMs: 5_000, maxResponseBytes: 10_000 }
}

function failure(sent: Promise<unknown>): Promise<unknown> {
  return sent.catch(({ reason }) => reason)
}

function newOutbound(options: Partial<OutboundOptions>) {
  const outbound = createOutbound({ allowLoopback: true, ...options })
  onTestFinished(() => outbound.close())
  return outbound
}

async function listen(handle: (...given: Parameters<RequestListener>) => unknown) {
  let connections = 0
  const requests: Parameters<RequestListener>[0][] = []
  const server = createServer((request, response) => {
    requests.push(request)
    handle(request, response)
  })
  server.on('connection', () => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/`, requests, connections: () => connections }
}

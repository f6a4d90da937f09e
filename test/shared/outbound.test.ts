import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { plusMs } from '../../shared/clock.ts'
import { checkOutboundUrl } from '../../shared/outbound/check-outbound-url.ts'
import { createOutbound, type OutboundOptions, type OutboundRequest } from '../../shared/outbound/outbound.ts'
import { OutboundError } from '../../shared/outbound/outbound-error.ts'

const trusted = newCertificate()
const untrusted = newCertificate()
setDefaultCACertificates([...getCACertificates(), trusted.cert])

const FIRST_KILOBYTE = { maxResponseBytes: 1_024, overflow: 'truncate' } as const

const VALID_URLS = `
  https://hooks.example.com https://hooks.example.com:8443/a/b%20c https://bücher.example/hook https://xn--bcher-kva.example`

const VALID_IN_DEVELOPMENT = `${VALID_URLS}
  http://localhost:3000 http://a.localhost http://127.0.0.1 http://127.1 http://[::1]:1 https://localhost`

const REFUSED_IN_DEVELOPMENT = `
  http://hooks.example.com http://10.0.0.1 https://10.0.0.1 https://93.184.216.34 http://169.254.169.254
  http://[::ffff:127.0.0.1] http://0.0.0.0 http://127.0.0.1.example.com http://localhost.example.com`

const REFUSED_URLS = {
  'plain absolute': [
    ...words('a.example/b //a.example https: https:// https://[fe80::1%25eth0]/ https://256.256.256.256/'),
    ...['', ' https://a.example', 'https://a.example/\n', 'https://a\t.example/', 'https:\\\\a.example'],
    ...['https://a.example\\@10.0.0.1/', `https://a.example/${'a'.repeat(5000)}`],
  ],
  https: words('http://a.example HTTP://a.example ftp://a.example file:///etc/passwd data:,x ws://a.example'),
  credentials: words('https://me:secret@a.example https://me@a.example https://a.example@10.0.0.1/'),
  query: words('https://a.example/?a=b https://a.example/?'),
  fragment: words('https://a.example/#a https://a.example/#'),
  port: words('https://a.example:0/'),
  'IP address': words(`127.0.0.1 127.1 0x7f.1 0x7f000001 2130706433 0177.0.0.1 017700000001 127.0.0.1. 0 127.0.0.%31
    １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 93.184.216.34 169.254.169.254 [::1] [::] [::ffff:127.0.0.1]
    [::ffff:7f00:1] [64:ff9b::7f00:1] [2606:2800:220:1::1]`).map((literal) => `https://${literal}/latest/meta-data`),
  'trailing dot': words('https://a.example./ https://localhost./'),
  'public host': words(`https://localhost https://LOCALHOST https://ⓛocalhost https://a.localhost https://intranet
    https://printer.local https://metadata.google.internal https://router.home.arpa`),
}

const REFUSED_ADDRESSES = `
  127.0.0.1 127.8.9.10 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 169.254.170.2
  168.63.129.16 100.64.0.1 100.100.100.200 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 127.1 0177.0.0.1 localhost
  :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:93.184.216.34 ::ffff:0:127.0.0.1 64:ff9b::7f00:1
  64:ff9b:1::7f00:1 100::1 2001::1 2001:2::1 2001:db8::1 2002:7f00:1::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254
  fe80::1 fe80::1%eth0 fec0::1 ff02::1`

describe('a URL from an operator', () => {
  test.each(words(VALID_URLS))('%s is accepted', (url) => {
    expect(checkOutboundUrl(url, { allowLoopback: false })).toBeUndefined()
  })

  test.each(pairs(REFUSED_URLS))('%j is refused: it %s', async (url, reason) => {
    expect(checkOutboundUrl(url, { allowLoopback: false })).toContain(reason)

    if (reason === 'query') return
    const resolve = vi.fn(async () => ['93.184.216.34'])
    expect(await failure(newOutbound({ resolve }).request(get(url)))).toBe('refused_url')
    expect(resolve).not.toHaveBeenCalled()
  })

  test('a query is accepted where it is allowed, and a fragment nowhere', () => {
    const rules = { allowLoopback: false, allowQuery: true }
    expect(checkOutboundUrl('https://claims.example.com/?user=1', rules)).toBeUndefined()
    expect(checkOutboundUrl('https://claims.example.com/?user=1#x', rules)).toContain('fragment')
  })

  test.each(words(VALID_IN_DEVELOPMENT))('%s is accepted in development', (url) => {
    expect(checkOutboundUrl(url, { allowLoopback: true })).toBeUndefined()
  })

  test.each(words(REFUSED_IN_DEVELOPMENT))('%s is refused in development too', (url) => {
    expect(checkOutboundUrl(url, { allowLoopback: true })).toBeDefined()
  })
})

describe('a host name', () => {
  test.each(words(REFUSED_ADDRESSES))('with the address %j is refused, also beside a public one', async (address) => {
    for (const addresses of [[address], ['93.184.216.34', address], [address, '2606:2800:220:1::1']]) {
      const outbound = newOutbound({ resolve: async () => addresses })
      expect(await failure(outbound.request(get('https://hooks.test/')))).toBe('refused_address')
    }
  })

  test('without an address, or with a failing resolver, is a DNS failure', async () => {
    const outbound = newOutbound({
      resolve: async (host) => (host === 'empty.test' ? [] : Promise.reject(new Error())),
    })
    expect(await failure(outbound.request(get('https://empty.test/')))).toBe('dns')
    expect(await failure(outbound.request(get('https://broken.test/')))).toBe('dns')
  })

  test('with changing answers is connected at the address that was checked, and resolved once', async () => {
    const first = await listen((_, response) => response.end('first'), trusted)
    const second = await listen((_, response) => response.end('second'), { ...trusted, at: `127.0.0.2:${first.port}` })
    const resolve = vi.fn(async () => ['127.0.0.2']).mockResolvedValueOnce(['127.0.0.1'])
    const outbound = newOutbound({ allowLoopback: true, resolve })

    const url = `https://hooks.test:${first.port}/`
    const answers = await Promise.all(Array.from({ length: 5 }, () => outbound.request(get(url))))

    expect(answers.map(({ body }) => body.toString())).toEqual(Array(5).fill('first'))
    expect(resolve).toHaveBeenCalledOnce()
    expect(second.connections).toBe(0)
  })

  test('is resolved and checked again when the answer is old', async () => {
    let now = new Date()
    const server = await listen((_, response) => response.setHeader('connection', 'close').end(), trusted)
    const resolve = vi.fn(async () => ['10.0.0.1']).mockResolvedValueOnce(['127.0.0.1'])
    const outbound = newOutbound({ allowLoopback: true, resolve, clock: { now: () => now } })
    const request = get(`https://hooks.test:${server.port}/`)

    await outbound.request(request)
    now = plusMs(now, 29_000)
    await outbound.request(request)
    now = plusMs(now, 2_000)
    expect(await failure(outbound.request(request))).toBe('refused_address')
    expect(server.connections).toBe(2)
  })
})

describe('the connection', () => {
  test('sends the host in SNI and Host, and compares it with the certificate', async () => {
    const server = await listen((_, response) => response.end(), trusted)
    const outbound = newOutbound({ allowLoopback: true, resolve: async () => ['127.0.0.1'] })

    expect(await outbound.request(get(`https://hooks.test:${server.port}/`))).toMatchObject({ status: 200 })
    expect((server.requests[0]!.socket as TLSSocket).servername).toBe('hooks.test')
    expect(server.requests[0]?.headers.host).toBe(`hooks.test:${server.port}`)
    const refusal = await outbound.request(get(`https://other.test:${server.port}/`)).catch((error) => error)
    expect(refusal).toMatchObject({ reason: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  test('is refused for an untrusted certificate and a server without TLS', async () => {
    const outbound = newOutbound({ allowLoopback: true, resolve: async () => ['127.0.0.1'] })
    for (const server of [await listen(() => {}, untrusted), await listen(() => {})]) {
      expect(await failure(outbound.request(get(`https://hooks.test:${server.port}/`)))).toBe('tls')
    }
  })

  test('is reused, also after an overlong answer', async () => {
    const server = await listen((_, response) => response.end('x'.repeat(5_000)))
    const outbound = newOutbound({ allowLoopback: true })
    for (let i = 0; i < 50; i++) {
      await outbound.request({ ...get(server.url), ...FIRST_KILOBYTE, method: 'POST', body: '{}' })
      await new Promise(setImmediate)
    }
    expect(server.requests).toHaveLength(50)
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  test('that is refused or breaks is a connection failure', async () => {
    const server = await listen((request) => request.socket.destroy())
    const outbound = newOutbound({ allowLoopback: true })
    expect(await failure(outbound.request(get(server.url)))).toBe('connection')
    await expect(outbound.request(get('http://127.0.0.1:1/'))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('ends with the outbound guard', async () => {
    const server = await listen(() => {})
    const outbound = createOutbound({ allowLoopback: true })
    const sent = failure(outbound.request(get(server.url)))
    await expect.poll(() => server.requests.length).toBe(1)
    await outbound.close()
    expect(await sent).toBe('connection')
    expect(await failure(outbound.request(get(server.url)))).toBe('connection')
  })
})

describe('a request', () => {
  test('arrives unchanged', async () => {
    const server = await listen((_, response) => response.writeHead(202, { 'x-a': ['1', '2'] }).end('thanks'))
    const headers = { 'Content-Type': 'application/json' }
    const post = { ...get(`${server.url}a%20b?c=d`), method: 'POST', headers, body: Buffer.from('{"é":1}') } as const
    const answer = await newOutbound({ allowLoopback: true, userAgent: 'Tester' }).request(post)
    expect(answer).toMatchObject({ status: 202, body: Buffer.from('thanks'), truncated: false })
    expect(answer.headers['x-a']).toEqual(['1', '2'])
    expect(server.requests).toMatchObject([{ method: 'POST', url: '/a%20b?c=d', body: '{"é":1}' }])
    expect(server.requests[0]?.headers).toMatchObject({ 'user-agent': 'Tester', 'content-type': 'application/json' })
  })

  test.each(
    Object.entries({ host: 'a', 'Accept-Encoding': 'a', 'content-length': '1', connection: 'a', a: 'b\nc', '': 'c' }),
  )('with the header %j: %j is the fault of the caller, and costs no connection', async (name, value) => {
    const server = await listen((_, response) => response.end())
    const outbound = newOutbound({ allowLoopback: true })
    const send = () => outbound.request({ ...get(server.url), headers: { [name]: value } }).catch((error) => error)
    const errors = await Array.fromAsync({ length: 200 }, send)
    expect(errors.filter((error) => !(error instanceof TypeError))).toEqual([])
    expect(await outbound.request(get(server.url))).toMatchObject({ status: 200 })
  })

  test('that fails gives an error without path and body', async () => {
    const server = await listen((_, response) => response.end('secret-answer'.repeat(1_000)))
    const request = { ...get(`${server.url}secret-path`), maxResponseBytes: 10 }
    const sent = newOutbound({ allowLoopback: true }).request(request)
    const error = await sent.catch((caught) => caught)
    expect(error).toBeInstanceOf(OutboundError)
    expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toMatch(/secret|127\.0/)
  })
})

describe('the timeout', () => {
  const hostile: Record<string, RequestListener> = {
    'an answer that never comes': () => {},
    'headers that drip': (request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n')
      drip(() => request.socket.write('x-a: b\r\n'))
    },
    'early hints without end': (request) => drip(() => request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
    'a body that drips': (_, response) => drip(() => response.write('x')),
  }

  test.each(Object.keys(hostile))('ends %s', async (name) => {
    const server = await listen(hostile[name]!)
    const outbound = newOutbound({ allowLoopback: true })
    const startedAt = performance.now()
    const request = { ...get(server.url), ...FIRST_KILOBYTE, timeoutMs: 250 }
    expect(await failure(outbound.request(request))).toBe('timeout')
    expect(performance.now() - startedAt).toBeGreaterThan(240)
    await expect.poll(() => server.closed).toBeGreaterThan(0)
  })

  test('ends a resolution that hangs, and the request is not sent when it completes', async () => {
    const server = await listen((_, response) => response.end(), trusted)
    const answer = Promise.withResolvers<string[]>()
    const outbound = newOutbound({ allowLoopback: true, resolve: () => answer.promise })
    const request = { ...get(`https://hooks.test:${server.port}/late`), timeoutMs: 100 }
    expect(await failure(outbound.request(request))).toBe('timeout')
    answer.resolve(['127.0.0.1'])
    await expect.poll(() => server.connections).toBe(1)
    expect(await outbound.request(get(`https://hooks.test:${server.port}/next`))).toMatchObject({ status: 200 })
    expect(server.requests.map(({ url }) => url)).toEqual(['/next'])
  })

  test('ends requests that wait for a connection of a full pool, and others are not delayed', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const slow = await listen((_, response) => isOver.then(() => response.end()))
    const quick = await listen((_, response) => response.end())
    const outbound = newOutbound({ allowLoopback: true })
    const stuck = Array.from({ length: 128 }, () => outbound.request({ ...get(slow.url), timeoutMs: 300_000 }))
    await expect.poll(() => slow.requests.length).toBe(128)
    const waiting = Array.from({ length: 70 }, () => failure(outbound.request({ ...get(slow.url), timeoutMs: 100 })))
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['timeout']))
    expect(await outbound.request(get(quick.url))).toMatchObject({ status: 200 })
    expect(slow.connections).toBe(128)
    end()
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(await outbound.request(get(slow.url))).toMatchObject({ status: 200 })
  })
})

describe('the size limit', () => {
  test('keeps the first kilobyte of an endless answer at once and closes the connection', async () => {
    const server = await listen((_, response) => drip(() => response.write('x'.repeat(50_000))))
    const answer = await newOutbound({ allowLoopback: true }).request({ ...get(server.url), ...FIRST_KILOBYTE })
    expect(answer).toMatchObject({ status: 200, truncated: true, body: Buffer.alloc(1_024, 'x') })
    await expect.poll(() => server.closed).toBeGreaterThan(0)
  })

  test('fails an answer above the limit, and not one at the limit', async () => {
    const server = await listen((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))))
    const outbound = newOutbound({ allowLoopback: true })
    const limits = { maxResponseBytes: 100 }
    expect(await failure(outbound.request({ ...get(`${server.url}101`), ...limits }))).toBe('too_large')
    for (const overflow of ['fail', 'truncate'] as const) {
      const answer = await outbound.request({ ...get(`${server.url}100`), ...limits, overflow })
      expect(answer).toMatchObject({ truncated: false, body: Buffer.alloc(100, 'x') })
    }
  })

  test('fails endless headers', async () => {
    const server = await listen((request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n')
      drip(() => request.socket.write(`x-a: ${'b'.repeat(5_000)}\r\n`))
    })
    expect(await failure(newOutbound({ allowLoopback: true }).request(get(server.url)))).toBe('too_large')
  })
})

describe('a redirect', () => {
  const redirectTo = (location: string | undefined) =>
    listen((request, response) => {
      if (request.url === '/end') return response.end('end')
      response.writeHead(302, location === undefined ? {} : { location }).end()
    }, trusted)
  const resolve = async (host: string) => [host === 'private.test' ? '10.0.0.1' : '127.0.0.1']
  const follower = () => newOutbound({ allowLoopback: true, resolve })
  const following = ({ port }: { port: number }, more = {}) =>
    Object.assign(get(`https://hooks.test:${port}/`), { maxRedirects: 2 }, more)

  test('is followed where it is allowed, and otherwise, or after a POST, returned as the answer', async () => {
    const server = await redirectTo('/end#part')
    const outbound = follower()
    for (const more of [{ maxRedirects: 0 }, { method: 'POST', body: 'x' }]) {
      expect(await outbound.request(following(server, more))).toMatchObject({ status: 302 })
    }
    expect(await outbound.request(following(server))).toMatchObject({ status: 200, body: Buffer.from('end') })
    expect(server.requests.map(({ url }) => url)).toEqual(['/', '/', '/', '/end'])
  })

  const refusedLocations = {
    refused_url: words('https://169.254.169.254 https://[::ffff:127.0.0.1] https://me:secret@hooks.test'),
    refused_address: ['https://private.test/'],
    redirect: [undefined, ...words('/again https: http://127.0.0.1 http://hooks.test ftp://hooks.test')],
  }
  test.each(pairs(refusedLocations))('to %s is refused: %s', async (location, reason) => {
    expect(await failure(follower().request(following(await redirectTo(location))))).toBe(reason)
  })

  test('to another origin sends no credentials', async () => {
    const target = await listen((_, response) => response.end(), trusted)
    const server = await redirectTo(`https://hooks.test:${target.port}/`)
    const headers = { authorization: 'Bearer x', 'X-Api-Key': 'y', Accept: 'text/plain' }
    await follower().request(following(server, { headers }))
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer x', 'x-api-key': 'y' })
    const sent = Object.keys(target.requests[0]!.headers).sort()
    expect(sent).toEqual(words('accept accept-encoding connection host user-agent'))
  })

  test('shares the timeout of the first request', async () => {
    const server = await listen((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 150)
    }, trusted)
    expect(await failure(follower().request(following(server, { timeoutMs: 250 })))).toBe('timeout')
  })
})

function pairs<T>(table: Record<string, T[]>): [T, string][] {
  return Object.entries(table).flatMap(([reason, urls]) => urls.map((url): [T, string] => [url, reason]))
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function get(url: string): OutboundRequest {
  return { method: 'GET', url, timeoutMs: 10_000, maxResponseBytes: 10_000 }
}

/** The reason that a call fails for; the answer itself if it does not. */
function failure(sent: Promise<unknown>): Promise<unknown> {
  return sent.catch(({ reason }) => reason)
}

function newOutbound(options: Partial<OutboundOptions>) {
  const outbound = createOutbound({ allowLoopback: false, ...options })
  onTestFinished(() => outbound.close())
  return outbound
}

async function listen(
  handle: RequestListener | ((...given: Parameters<RequestListener>) => unknown),
  { at = '127.0.0.1:0', ...tls }: { at?: string; cert?: string; key?: Buffer } = {},
) {
  const received = { connections: 0, closed: 0, requests: [] as (IncomingMessage & { body: string })[] }
  const listener: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.requests.push(Object.assign(request, { body }))
    handle(request, response)
  }
  const server = tls.cert ? createHttpsServer(tls, listener) : createHttpServer(listener)
  server.on('connection', (socket) => {
    received.connections++
    socket.on('close', () => received.closed++)
  })
  const [host, port] = at.split(':')
  await once(server.listen(Number(port), host), 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  const address = server.address() as AddressInfo
  return Object.assign(received, { port: address.port, url: `http://127.0.0.1:${address.port}/` })
}

function drip(write: () => void) {
  const timer = setInterval(write, 10)
  onTestFinished(() => clearInterval(timer))
}

function newCertificate() {
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout - -out -
    -subj /CN=hooks.test -addext subjectAltName=DNS:hooks.test`
  const pem = execFileSync('openssl', words(options), { stdio: 'pipe' })
  return { key: pem, cert: new X509Certificate(pem).toString() }
}

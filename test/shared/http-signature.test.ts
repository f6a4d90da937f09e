import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpbis } from 'http-message-signatures'
import { expect, onTestFinished, test } from 'vitest'
import {
  contentDigest,
  type SignableRequest,
  signatureBase,
  signatureHeaders,
} from '../../shared/formats/http-signature.ts'
import { createOutbound } from '../../shared/outbound/outbound.ts'

// RFC 9421, appendix B.1.4: test-key-ed25519.
const PRIVATE_KEY = createPrivateKey({
  key: Buffer.from('MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF', 'base64'),
  format: 'der',
  type: 'pkcs8',
})
const PUBLIC_KEY = createPublicKey(PRIVATE_KEY)

const BODY = '{"hello": "world"}'
const CREATED_AT = new Date(1_618_884_473_999)

test('the signature of a base equals that of RFC 9421, appendix B.2.6', () => {
  const base = [
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@method": POST',
    '"@path": /foo',
    '"@authority": example.com',
    '"content-type": application/json',
    '"content-length": 18',
    '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length")' +
      ';created=1618884473;keyid="test-key-ed25519"',
  ].join('\n')
  const signature = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
  expect(sign(null, Buffer.from(base), PRIVATE_KEY).toString('base64')).toBe(signature)
})

test('the base covers target, method, authority and digest, then the other headers in order', () => {
  const { base, signatureInput } = signatureBase(newRequest())
  const params =
    '("@request-target" "@method" "@authority" "content-digest" "content-type" "webhook-id" "webhook-timestamp" "x-mattr-event-type")' +
    ';created=1618884473;keyid="test-key-ed25519";alg="ed25519"'
  expect(signatureInput).toBe(`sig1=${params}`)
  expect(base.split('\n')).toEqual([
    '"@request-target": /foo%20bar?param=Value&Pet=dog',
    '"@method": POST',
    '"@authority": example.com',
    '"content-digest": sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    '"content-type": application/json',
    '"webhook-id": 7f0c',
    '"webhook-timestamp": 1618884473',
    '"x-mattr-event-type": OpenIdCredentialIssued',
    `"@signature-params": ${params}`,
  ])
})

test('the digest is that of RFC 9530, over the bytes of the body', () => {
  expect(contentDigest(BODY)).toBe('sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:')
  expect(contentDigest(`${BODY}\n`)).toBe('sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:')
  expect(contentDigest('é')).toBe(contentDigest(Buffer.from([0xc3, 0xa9])))
  expect(contentDigest('')).toBe('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:')
})

test('header values are canonical: trimmed, unfolded, joined', () => {
  const headers = {
    'Content-Digest': contentDigest(BODY),
    'X-Trimmed': ' \t a  b \t',
    'X-Folded': 'Obsolete\r\n    line folding.\t\r\n\tTwice.',
    'X-Repeated': [' max-age=60 ', 'must-revalidate'],
    'X-Empty': '',
    'X-Twice': 'a',
    'x-twice': 'b',
  }
  const lines = signatureBase({ ...newRequest(), headers }).base.split('\n')
  expect(lines.slice(4, -1)).toEqual([
    '"x-empty": ',
    '"x-folded": Obsolete line folding. Twice.',
    '"x-repeated": max-age=60, must-revalidate',
    '"x-trimmed": a  b',
    '"x-twice": a, b',
  ])
})

test('the target is the path and query as sent, at least a slash', () => {
  const target = (url: string) => signatureBase({ ...newRequest(), url }).base.split('\n')[0]
  expect(target('https://example.com')).toBe('"@request-target": /')
  expect(target('https://example.com/ü/../ä?q=ö#part')).toBe('"@request-target": /%C3%A4?q=%C3%B6')
})

test("the authority is in lower case, with a port that is not the scheme's own", () => {
  const authority = (url: string) => signatureBase({ ...newRequest(), url }).base.split('\n')[2]
  expect(authority('https://Example.COM/')).toBe('"@authority": example.com')
  expect(authority('https://example.com:443/')).toBe('"@authority": example.com')
  expect(authority('https://example.com:8443/')).toBe('"@authority": example.com:8443')
  expect(authority('http://127.0.0.1:80/')).toBe('"@authority": 127.0.0.1')
  expect(authority('https://bücher.example/')).toBe('"@authority": xn--bcher-kva.example')
})

test.each<[string, Partial<SignableRequest>]>([
  ['no content-digest', { headers: { 'webhook-id': 'a' } }],
  ['a signature already', { headers: { 'content-digest': 'a', Signature: 'sig1=:AA==:' } }],
  ['a value that passes for another line', { headers: { 'content-digest': 'a', b: 'c\n"d": e' } }],
  ['a value beyond ASCII', { headers: { 'content-digest': 'a', b: 'é' } }],
  ['a name that is none', { headers: { 'content-digest': 'a', 'b"c': 'd' } }],
  ['a key id with a line break', { keyId: 'a\nb' }],
  ['an empty key id', { keyId: '' }],
])('a request with %s is not signed', (_, part) => {
  expect(() => signatureBase({ ...newRequest(), ...part })).toThrow()
})

test('an independent library verifies the signature, and finds every change', async () => {
  const request = newRequest()
  const message = { method: request.method, url: request.url, headers: signedHeaders(request) }
  expect(await verifies(message)).toBe(true)

  const changed = (headers: Record<string, string>) => ({ ...message, headers: { ...message.headers, ...headers } })
  const input = message.headers['signature-input']!
  const changes = [
    { ...message, method: 'PUT' },
    { ...message, url: message.url.replace('/foo', '/fooo') },
    { ...message, url: message.url.replace('Value', 'value') },
    { ...message, url: message.url.replace('example.com', 'example.org') },
    { ...message, url: message.url.replace('example.com', 'example.com:8443') },
    changed({ 'content-digest': contentDigest(`${BODY} `) }),
    changed({ 'webhook-timestamp': '1618884474' }),
    changed({ 'x-mattr-event-type': 'OpenIdCredentialIssuedSummary' }),
    changed({ 'signature-input': input.replace('1618884473', '1618884474') }),
    changed({ 'signature-input': input.replace('keyid="test', 'keyid="other') }),
    changed({ 'signature-input': input.replace(' "webhook-id"', '') }),
    changed({ 'signature-input': input.replace(' "@authority"', '') }),
    changed({ signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` }),
  ]
  for (const change of changes) expect(await verifies(change)).toBe(false)
})

test('a key id with quotes and backslashes survives', async () => {
  const request = { ...newRequest(), keyId: 'did:web:a#"b\\c"' }
  const message = { method: request.method, url: request.url, headers: signedHeaders(request) }
  expect(await verifies(message, request.keyId)).toBe(true)
})

test('a received request verifies as it was sent', async () => {
  const received = Promise.withResolvers<{ request: IncomingMessage; body: Buffer }>()
  const server = createServer(async (request, response) => {
    received.resolve({ request, body: Buffer.concat(await request.toArray()) })
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const outbound = createOutbound({ allowLoopback: true })
  onTestFinished(async () => {
    await outbound.close()
    server.close()
  })

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/ä?x=%20y`
  const signed = { ...newRequest(), url }
  await outbound.request({
    method: 'POST',
    url,
    headers: signedHeaders(signed),
    body: BODY,
    timeoutMs: 60_000,
    maxResponseBytes: 1,
  })

  const { request, body } = await received.promise
  const message = {
    method: request.method!,
    url: new URL(request.url!, `http://${request.headers.host}`),
    headers: request.headers as Record<string, string>,
  }
  expect(await verifies(message)).toBe(true)
  const digest = createHash('sha256').update(body).digest('base64')
  expect(request.headers['content-digest']).toBe(`sha-256=:${digest}:`)
})

function newRequest() {
  return {
    method: 'POST' as const,
    url: 'https://example.com/foo bar?param=Value&Pet=dog',
    headers: {
      'x-mattr-event-type': 'OpenIdCredentialIssued',
      'Webhook-Timestamp': '1618884473',
      'webhook-id': '7f0c',
      'Content-Type': 'application/json',
      'Content-Digest': contentDigest(BODY),
    } as Record<string, string>,
    keyId: 'test-key-ed25519',
    createdAt: CREATED_AT,
  }
}

function signedHeaders(request: ReturnType<typeof newRequest>): Record<string, string> {
  const { base, signatureInput } = signatureBase(request)
  const signature = sign(null, Buffer.from(base), PRIVATE_KEY)
  const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])
  return { ...Object.fromEntries(sent), ...signatureHeaders(signatureInput, signature) }
}

async function verifies(
  message: { method: string; url: string | URL; headers: Record<string, string> },
  keyId = 'test-key-ed25519',
) {
  const requiredFields = ['@request-target', '@method', '@authority', 'content-digest', 'webhook-id']
  const requiredParams = ['created', 'keyid', 'alg']
  const keyLookup = async ({ keyid }: { keyid?: string }) =>
    keyid !== keyId
      ? null
      : {
          id: keyId,
          algs: ['ed25519'],
          verify: async (data: Buffer, given: Buffer) => verify(null, data, PUBLIC_KEY, given),
        }
  const result = await httpbis.verifyMessage({ keyLookup, requiredFields, requiredParams }, message).catch(() => false)
  return result === true
}

// A remote signer: makes keys and signs with them, by the protocol of docs/remote-signer.md. Needs Node.js 20 or newer and openssl.
// TOKEN_FILE=token KEYS=keys node examples/remote-signer.mjs PORT
// With TLS_CERT, TLS_KEY and TLS_CLIENT_CA it uses mutual TLS. It keeps keys in a folder: replace that by calls of your device.
import { spawn } from 'node:child_process'
import * as crypto from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

const [port = '4010'] = process.argv.slice(2)
const { TOKEN_FILE, KEYS: folder = 'keys', TLS_CERT, TLS_KEY, TLS_CLIENT_CA } = process.env
if (!TOKEN_FILE && !TLS_CLIENT_CA) throw new Error('Set TOKEN_FILE, or TLS_CERT, TLS_KEY and TLS_CLIENT_CA.')
const maxBodyBytes = 8 * 1024 * 1024
const p256 = ['ec', { namedCurve: 'P-256' }]
const kinds = { ES256: p256, 'ECDH-ES': p256, Ed25519: ['ed25519'], X25519: ['x25519'] }
mkdirSync(folder, { recursive: true, mode: 0o700 })

function refuse(status, error) {
  throw Object.assign(new Error(error), { status })
}

const operations = {
  'POST /v1/keys'({ algorithm, label }, { idempotencyKey = '' }) {
    if (!Object.hasOwn(kinds, algorithm) || !/^[\w-]{1,100}$/.test(idempotencyKey)) refuse(400, 'invalid_request')
    const kid = sha256(idempotencyKey).toString('hex').slice(0, 32)
    const pem = crypto.generateKeyPairSync(...kinds[algorithm]).privateKey.export({ type: 'pkcs8', format: 'pem' })
    storeOnce(kid, `${JSON.stringify({ algorithm, label })}\n${pem}`)
    if (readKey(kid).algorithm !== algorithm) refuse(409, 'other_algorithm')
    return [201, publicJwk(kid)]
  },
  'GET /v1/keys'(_, { query }) {
    const after = query.get('after') ?? ''
    const kids = readdirSync(folder).filter((name) => /^[0-9a-f]{32}$/.test(name) && name > after)
    const page = kids.sort().slice(0, Math.min(Number(query.get('limit')) || 100, 1000))
    return [200, { keys: page.map(publicJwk), ...(page.length < kids.length && { next: page.at(-1) }) }]
  },
  'GET /v1/keys/KID': (_, { kid }) => [200, publicJwk(kid)],
  'DELETE /v1/keys/KID'(_, { kid }) {
    readKey(kid)
    rmSync(join(folder, kid), { force: true })
    return [204]
  },
  async 'POST /v1/sign'({ key, algorithm, digest, message }) {
    const isDigest = algorithm === 'ES256' && bytesOf(digest).length === 32
    if (!isDigest && algorithm !== 'Ed25519') refuse(400, 'invalid_request')
    const { pem } = readKey(key, algorithm)
    const signature = isDigest ? await signDigest(bytesOf(digest), key) : crypto.sign(null, bytesOf(message), pem)
    return [200, { signature: signature.toString('base64url') }]
  },
  'POST /v1/derive'({ key, algorithm, publicKey }) {
    if (algorithm !== 'X25519' && algorithm !== 'ECDH-ES') refuse(400, 'invalid_request')
    const peer = crypto.createPublicKey({ key: publicKey, format: 'jwk' })
    const { pem } = readKey(key, algorithm)
    const secret = crypto.diffieHellman({ privateKey: crypto.createPrivateKey(pem), publicKey: peer })
    return [200, { secret: secret.toString('base64url') }]
  },
}

/** Stores a key completely or not at all. If a key with this name exists, it stays. */
function storeOnce(kid, text) {
  if (existsSync(join(folder, kid))) return
  writeFileSync(join(folder, 'draft'), text, { mode: 0o600, flush: true })
  renameSync(join(folder, 'draft'), join(folder, kid))
}

function readKey(kid, algorithm) {
  if (!/^[0-9a-f]{32}$/.test(kid) || !existsSync(join(folder, kid))) refuse(404, 'unknown_key')
  const pem = readFileSync(join(folder, kid), 'utf8')
  const key = { ...JSON.parse(pem.split('\n')[0]), pem }
  if (algorithm !== undefined && algorithm !== key.algorithm) refuse(400, 'other_algorithm')
  return key
}

const publicJwk = (kid) => ({ kid, ...crypto.createPublicKey(readKey(kid).pem).export({ format: 'jwk' }) })
const bytesOf = (text) => Buffer.from(String(text), 'base64url')
const sha256 = (text) => crypto.createHash('sha256').update(text).digest()

/** Node.js signs no digest. OpenSSL does, and returns DER: it becomes r followed by s. */
async function signDigest(digest, kid) {
  const child = spawn('openssl', ['pkeyutl', '-sign', '-inkey', join(folder, kid)])
  child.stdin.end(digest)
  const der = await buffer(child.stdout)
  if (der.length < 8) refuse(500, 'openssl_failed')
  const sFrom = 4 + der[3]
  const padded = (integer) => Buffer.concat([Buffer.alloc(32), integer]).subarray(-32)
  return Buffer.concat([padded(der.subarray(4, sFrom)), padded(der.subarray(sFrom + 2))])
}

function isAuthorized({ headers }) {
  if (!TOKEN_FILE) return true // The handshake of TLS has checked the certificate.
  const token = readFileSync(TOKEN_FILE, 'utf8').trim()
  return crypto.timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`))
}

async function answer(request) {
  const { pathname, searchParams: query } = new URL(request.url, 'http://signer')
  const [, kid] = /^\/v1\/keys\/([^/]+)$/.exec(pathname) ?? []
  const isPost = request.method === 'POST'
  const operation = `${request.method} ${kid ? '/v1/keys/KID' : pathname}`
  if (!isAuthorized(request)) refuse(401, 'unauthorized')
  if (!Object.hasOwn(operations, operation)) refuse(404, 'unknown_path')
  // A body without a length is refused too.
  if (isPost && !(Number(request.headers['content-length']) <= maxBodyBytes)) refuse(413, 'too_large')
  const body = isPost ? JSON.parse(await buffer(request)) : {}
  return operations[operation](body, { kid, query, idempotencyKey: request.headers['idempotency-key'] })
}

const listener = async (request, response) => {
  const [status, body] = await answer(request).catch(({ status, errno, message }) =>
    status ? [status, { error: message }] : [errno ? 500 : 400, { error: 'failed' }],
  )
  response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
}
const [cert, key, ca] = [TLS_CERT, TLS_KEY, TLS_CLIENT_CA].map((file) => file && readFileSync(file))
const server = ca ? https.createServer({ cert, key, ca, requestCert: true }, listener) : http.createServer(listener)
server.listen(Number(port), '127.0.0.1', () => console.log(`Listening on port ${server.address().port}`))

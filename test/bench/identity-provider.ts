import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * A minimal OpenID Connect provider as a process, so that the measured cost is that of the service. The code is the
 * nonce for the ID token. Sends its address to the parent.
 */
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: 'ES256', kid: 'bench' })
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'ES256', use: 'sig' }]
let issuer = ''
let people = 0

function idToken(nonce: string): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { given_name: 'Ada', family_name: 'Lovelace', birth_date: '1815-12-10' }
  const sub = `person-${people++ % 1000}`
  const content = `${header}.${encode({ iss: issuer, sub, aud: 'bench', nonce, iat: now, exp: now + 300, ...claims })}`
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answerTo(request.url ?? '', new URLSearchParams(text))))
  })
})

function answerTo(path: string, form: URLSearchParams): unknown {
  if (path === '/jwks') return { keys }
  if (path === '/token') return { access_token: 'a', token_type: 'Bearer', id_token: idToken(form.get('code') ?? '') }
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  }
}

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  process.send?.(issuer)
})
process.on('disconnect', () => process.exit())

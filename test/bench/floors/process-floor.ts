import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { serveIssuer } from './issuer-routes.ts'

/**
 * The process floor: the four requests of a flow in Koa, the verification of one proof, and one signature. Answers have the sizes of those
 * of the service. Nothing is stored or checked.
 */
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secret = 'x'.repeat(80)
const content = Buffer.alloc(300, 'x')

serveIssuer({
  async createOffer() {
    const grants = { 'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': secret } }
    const offer = { credential_issuer: 'https://bench.example', credential_configuration_ids: [secret], grants }
    const query = new URLSearchParams({ credential_offer: JSON.stringify(offer) })
    return { id: secret, uri: `openid-credential-offer://?${query}` }
  },
  async token() {
    return { access_token: secret, token_type: 'Bearer', expires_in: 300, scope: 'cwt:BenchCredential' }
  },
  async nonce() {
    return { c_nonce: secret }
  },
  async credential({ proofs }) {
    // Boundary: the load generator sends one proof of type jwt.
    const [jwt = ''] = (proofs as { jwt: string[] }).jwt
    const [header = '', payload = '', signature = ''] = jwt.split('.')
    const { jwk } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
    if (!verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
      throw new Error('The proof of the load generator is wrong.')
    const signed = Buffer.concat([content, sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' })])
    return { credentials: [{ credential: `CSC:/1/${signed.toString('base64url')}` }], notification_id: secret }
  },
})

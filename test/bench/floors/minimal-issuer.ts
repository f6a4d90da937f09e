import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CallbackContext,
  clientAuthenticationNone,
  decodeJwt,
  type Jwk,
  type JwtSigner,
  Oauth2AuthorizationServer,
  preAuthorizedCodeGrantIdentifier,
  verifyJwt,
} from '@openid4vc/oauth2'
import { type IssuerMetadataResult, Openid4vciIssuer, Openid4vciVersion } from '@openid4vc/openid4vci'
import SqliteDatabase from 'better-sqlite3'
import { type Received, serveIssuer } from './issuer-routes.ts'

/**
 * A minimal issuer in one process: @openid4vc/openid4vci and better-sqlite3, with a commit for each request that changes something. It has
 * one tenant, no events, no webhooks and no management. `BENCH_CONFIGURATION_ID` is the id of its credential configuration. With
 * `BENCH_SYNCHRONOUS=FULL` it flushes each commit to the disk before it answers.
 */
const issuer = 'https://bench.example'
const configurationId = process.env.BENCH_CONFIGURATION_ID ?? ''
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicJwk = publicKey.export({ format: 'jwk' }) as Jwk
const signer = { method: 'jwk', publicJwk, alg: 'ES256' } satisfies JwtSigner

const dir = mkdtempSync(join(tmpdir(), 'trustwright-minimal-issuer-'))
process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
const database = new SqliteDatabase(join(dir, 'issuer.db'))
database.pragma('journal_mode = WAL')
database.pragma(`synchronous = ${process.env.BENCH_SYNCHRONOUS === 'FULL' ? 'FULL' : 'NORMAL'}`)
database.exec(`
  CREATE TABLE offers (code TEXT PRIMARY KEY, claims TEXT NOT NULL, state TEXT NOT NULL, expires_at INTEGER NOT NULL);
  CREATE TABLE nonces (nonce TEXT PRIMARY KEY, expires_at INTEGER NOT NULL);
  CREATE TABLE credentials (id TEXT PRIMARY KEY, code TEXT NOT NULL, issued_at INTEGER NOT NULL)`)
const statements = {
  addOffer: database.prepare("INSERT INTO offers VALUES (?, ?, 'open', ?)"),
  redeemOffer: database.prepare(
    "UPDATE offers SET state = 'redeemed' WHERE code = ? AND state = 'open' RETURNING expires_at",
  ),
  collectOffer: database.prepare(
    "UPDATE offers SET state = 'collected' WHERE code = ? AND state = 'redeemed' RETURNING claims",
  ),
  addNonce: database.prepare('INSERT INTO nonces VALUES (?, ?)'),
  useNonce: database.prepare('DELETE FROM nonces WHERE nonce = ? RETURNING expires_at'),
  addCredential: database.prepare('INSERT INTO credentials VALUES (?, ?, ?)'),
}

function signJwt(header: object, payload: object): string {
  const content = `${encode(header)}.${encode(payload)}`
  return `${content}.${sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const callbacks: Omit<CallbackContext, 'decryptJwe' | 'encryptJwe'> = {
  hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
  generateRandom: (length) => randomBytes(length),
  signJwt: (_signer, { header, payload }) => ({ jwt: signJwt(header, payload), signerJwk: publicJwk }),
  verifyJwt(jwtSigner, { compact }) {
    if (jwtSigner.method !== 'jwk') return { verified: false }
    const [header = '', payload = '', signature = ''] = compact.split('.')
    const key = createPublicKey({ key: jwtSigner.publicJwk as JsonWebKey, format: 'jwk' })
    const isRight = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    return isRight ? { verified: true, signerJwk: jwtSigner.publicJwk } : { verified: false }
  },
  clientAuthentication: clientAuthenticationNone({ clientId: 'bench' }),
}
const authorizationServer = new Oauth2AuthorizationServer({ callbacks })
const credentialIssuer = new Openid4vciIssuer({ callbacks })
const authorizationServerMetadata = authorizationServer.createAuthorizationServerMetadata({
  issuer,
  token_endpoint: `${issuer}/v1/oauth/token`,
  jwks_uri: `${issuer}/jwks`,
})
const issuerMetadata: IssuerMetadataResult = {
  originalDraftVersion: Openid4vciVersion.V1,
  credentialIssuer: credentialIssuer.createCredentialIssuerMetadata({
    credential_issuer: issuer,
    credential_endpoint: `${issuer}/v1/openid/credential`,
    nonce_endpoint: `${issuer}/v1/openid/nonce`,
    credential_configurations_supported: {
      [configurationId]: {
        format: 'cwt',
        scope: 'cwt:BenchCredential',
        cryptographic_binding_methods_supported: ['jwk'],
        proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256'] } },
      },
    },
  }),
  authorizationServers: [authorizationServerMetadata],
  knownCredentialConfigurations: {},
}

serveIssuer({
  async createOffer({ credentials, claims }) {
    const code = randomBytes(32).toString('base64url')
    statements.addOffer.run(code, JSON.stringify(claims), Date.now() + 300_000)
    const { credentialOffer } = await credentialIssuer.createCredentialOffer({
      issuerMetadata,
      credentialConfigurationIds: credentials,
      grants: { [preAuthorizedCodeGrantIdentifier]: { 'pre-authorized_code': code } },
    })
    return { uri: credentialOffer }
  },
  async token(form, received) {
    const request = { ...received, method: 'POST' as const }
    const parsed = authorizationServer.parseAccessTokenRequest({
      request,
      accessTokenRequest: Object.fromEntries(form),
    })
    const { grant, accessTokenRequest } = parsed
    if (grant.grantType !== preAuthorizedCodeGrantIdentifier) throw new Error('The grant is not supported.')
    const row = statements.redeemOffer.get(grant.preAuthorizedCode) as { expires_at: number } | undefined
    if (!row) throw new Error('The code is wrong.')
    await authorizationServer.verifyPreAuthorizedCodeAccessTokenRequest({
      ...{ authorizationServerMetadata, grant, accessTokenRequest, request },
      expectedPreAuthorizedCode: grant.preAuthorizedCode,
      preAuthorizedCodeExpiresAt: new Date(row.expires_at),
    })
    return authorizationServer.createAccessTokenResponse({
      ...{
        signer,
        authorizationServer: issuer,
        audience: issuer,
        subject: grant.preAuthorizedCode,
        expiresInSeconds: 300,
      },
      scope: 'cwt:BenchCredential',
    })
  },
  async nonce() {
    const nonce = randomBytes(32).toString('base64url')
    statements.addNonce.run(nonce, Date.now() + 300_000)
    return credentialIssuer.createNonceResponse({ cNonce: nonce, cNonceExpiresIn: 300 })
  },
  async credential(body, received) {
    const code = await codeOfToken(received)
    const { proofs, credentialRequest } = credentialIssuer.parseCredentialRequest({
      issuerMetadata,
      credentialRequest: body,
    })
    const [jwt] = proofs?.jwt ?? []
    if (jwt === undefined) throw new Error('The proof is missing.')
    const { payload, signer: holder } = await credentialIssuer.verifyCredentialRequestJwtProof({ issuerMetadata, jwt })
    const credential = database.transaction(() => {
      const nonce = statements.useNonce.get(payload.nonce) as { expires_at: number } | undefined
      if (!nonce || nonce.expires_at < Date.now()) throw new Error('The nonce is wrong.')
      const offer = statements.collectOffer.get(code) as { claims: string } | undefined
      if (!offer) throw new Error('The offer was collected before.')
      const id = randomUUID()
      const issuedAt = Math.floor(Date.now() / 1000)
      statements.addCredential.run(id, code, issuedAt)
      const content = {
        iss: issuer,
        jti: id,
        iat: issuedAt,
        exp: issuedAt + 31_536_000,
        cnf: { jwk: holder.publicJwk },
      }
      return signJwt({ alg: 'ES256', typ: 'JWT' }, { ...content, ...JSON.parse(offer.claims) })
    })()
    return credentialIssuer.createCredentialResponse({
      credentialRequest: { credentialRequest } as Parameters<
        typeof credentialIssuer.createCredentialResponse
      >[0]['credentialRequest'],
      credentials: [{ credential: `CSC:/1/${credential}` }],
    })
  },
})

/** Verifies an access token of this issuer. Returns the code that it was issued for. */
async function codeOfToken({ headers }: Received): Promise<string> {
  const compact = headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  const { header, payload } = decodeJwt({ jwt: compact })
  const { verifyJwt: verifyJwtCallback } = callbacks
  await verifyJwt({
    compact,
    header,
    payload,
    signer,
    verifyJwtCallback,
    expectedAudience: issuer,
    expectedIssuer: issuer,
  })
  return String(payload.sub)
}

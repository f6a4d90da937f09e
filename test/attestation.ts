import 'reflect-metadata'
import { randomUUID, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { importJWK, type JWK, SignJWT } from 'jose'
import type { HolderKeyPair } from './wallet.ts'

x509.cryptoProvider.set(webcrypto as never)

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 24 * 3_600_000

interface Certified {
  certificate: x509.X509Certificate
  keys: webcrypto.CryptoKeyPair
}

export interface CertificateOptions {
  name: string
  issuer?: Certified
  ca?: boolean
  notBefore?: Date
  notAfter?: Date
}

/** A certificate, signed by itself where no issuer is named. */
export async function newCertificate({ name, issuer, ca = false, ...dates }: CertificateOptions): Promise<Certified> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomUUID().replaceAll('-', '').slice(0, 16),
    subject: `CN=${name}`,
    issuer: issuer?.certificate.subject ?? `CN=${name}`,
    notBefore: dates.notBefore ?? new Date(Date.now() - dayMs),
    notAfter: dates.notAfter ?? new Date(Date.now() + dayMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey as never,
    signingKey: (issuer?.keys ?? keys).privateKey as never,
    extensions: [new x509.BasicConstraintsExtension(ca, undefined, true)],
  })
  return { certificate, keys }
}

/** A wallet provider: a root that is trusted, and a leaf under it that attests. */
export interface Attester {
  rootPem: string
  root: Certified
  leaf: Certified
  x5c: string[]
}

export async function newAttester(options: Partial<CertificateOptions> = {}): Promise<Attester> {
  const root = await newCertificate({ name: `Root ${randomUUID()}`, ca: true })
  const leaf = await newCertificate({ name: 'Attester', issuer: root, ...options })
  return { rootPem: root.certificate.toString('pem'), root, leaf, x5c: [base64Of(leaf)] }
}

export const base64Of = ({ certificate }: Certified) => Buffer.from(certificate.rawData).toString('base64')

export interface JwtChanges {
  /** A member that is undefined is left out. */
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
}

const now = () => Math.floor(Date.now() / 1000)
const without = (value: object) => JSON.parse(JSON.stringify(value))

/** A client attestation of the key, for the client. */
export function attestClient(
  { leaf, x5c }: Attester,
  { clientId, publicJwk }: { clientId: string; publicJwk: JWK },
  { header, payload }: JwtChanges = {},
): Promise<string> {
  const claims = { sub: clientId, iat: now(), exp: now() + 300, cnf: { jwk: publicJwk }, ...payload }
  return new SignJWT(without(claims))
    .setProtectedHeader(without({ alg: 'ES256', typ: 'oauth-client-attestation+jwt', x5c, ...header }))
    .sign(leaf.keys.privateKey)
}

/** The proof that the wallet has the attested key. */
export async function possessionOf(
  { publicJwk: _, privateJwk, alg }: HolderKeyPair,
  aud: string,
  { header, payload }: JwtChanges = {},
): Promise<string> {
  return new SignJWT(without({ aud, jti: randomUUID(), iat: now(), ...payload }))
    .setProtectedHeader(without({ alg, typ: 'oauth-client-attestation-pop+jwt', ...header }))
    .sign(await importJWK(privateJwk, alg))
}

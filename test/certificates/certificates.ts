import 'reflect-metadata'
import { execFile } from 'node:child_process'
import { KeyObject, randomUUID, sign, webcrypto } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate } from '@peculiar/asn1-x509'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto as never)

export const { KeyUsageFlags } = x509

const dayMs = 24 * 3_600_000

const algorithms = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  'P-521': { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
  Ed25519: { name: 'Ed25519' },
  'RSA-2048': rsa(2048, 'SHA-256'),
  'RSA-1024': rsa(1024, 'SHA-256'),
  'RSA-2048 with SHA-1': rsa(2048, 'SHA-1'),
} as const

function rsa(modulusLength: number, hash: string) {
  return { name: 'RSASSA-PKCS1-v1_5', hash, publicExponent: new Uint8Array([1, 0, 1]), modulusLength }
}

export interface Certified {
  certificate: x509.X509Certificate
  keys: webcrypto.CryptoKeyPair
  /** The type of the key. */
  kind: keyof typeof algorithms
}

export interface CertificateOptions {
  name: string
  /** Absent for a self-signed certificate. */
  issuer?: Certified
  kind?: keyof typeof algorithms
  ca?: boolean
  pathLength?: number
  /** KeyUsageFlags. By default what the certificate needs. Null for no key usage extension. */
  usage?: number | null
  notBefore?: Date
  notAfter?: Date
  /** The keys of another certificate, to certify them again. */
  keys?: webcrypto.CryptoKeyPair
  /** The actual signer, if it is not the issuer. */
  signer?: Certified
  constraints?: 'critical' | 'not critical' | 'absent'
  hasIdentifiers?: boolean
  extensions?: x509.Extension[]
}

/** Makes a certificate with the extensions that RFC 5280 requires, except for what the options change. */
export async function newCertificate(options: CertificateOptions): Promise<Certified> {
  const { name, issuer, kind = 'P-256', ca = false } = options
  const keys = options.keys ?? (await newKeys(kind))
  const signer = options.signer ?? issuer ?? { keys, kind }
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomUUID().replaceAll('-', '').slice(0, 16),
    subject: `CN=${name}`,
    issuer: issuer?.certificate.subject ?? `CN=${name}`,
    notBefore: options.notBefore ?? new Date(Date.now() - dayMs),
    notAfter: options.notAfter ?? new Date(Date.now() + dayMs),
    signingAlgorithm: algorithms[signer.kind],
    publicKey: keys.publicKey as never,
    signingKey: signer.keys.privateKey as never,
    extensions: [...(await extensionsOf(options, ca, keys)), ...(options.extensions ?? [])],
  })
  return { certificate, keys, kind }
}

async function newKeys(kind: keyof typeof algorithms): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithms[kind], true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
}

async function extensionsOf(options: CertificateOptions, ca: boolean, keys: webcrypto.CryptoKeyPair) {
  const { constraints = 'critical', pathLength, hasIdentifiers = true, issuer } = options
  const { usage = ca ? KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign : KeyUsageFlags.digitalSignature } = options
  const basic = new x509.BasicConstraintsExtension(ca, pathLength, constraints === 'critical')
  const identifiers = async () => [
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey as never),
    await x509.AuthorityKeyIdentifierExtension.create((issuer?.keys ?? keys).publicKey as never),
  ]
  return [
    ...(constraints === 'absent' ? [] : [basic]),
    ...(usage === null ? [] : [new x509.KeyUsagesExtension(usage, true)]),
    ...(hasIdentifiers ? await identifiers() : []),
  ]
}

export const extension = (oid: string, critical: boolean, der: number[]) =>
  new x509.Extension(oid, critical, new Uint8Array(der))
export const purposesExtension = (oids: string[], critical: boolean) =>
  new x509.ExtendedKeyUsageExtension(oids, critical)

export const derOf = ({ certificate }: Certified) => Buffer.from(certificate.rawData)
export const base64Of = (certified: Certified) => derOf(certified).toString('base64')
export const pemOf = ({ certificate }: Certified) => certificate.toString('pem')

/** Returns the verdict of `openssl verify` on a chain: `ok`, or the message of its first error. */
export async function opensslVerdict(chain: Certified[], roots: Certified[], flags: string[] = []): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-chain-'))
  const write = (name: string, certificates: Certified[]) => {
    writeFileSync(join(dir, name), certificates.map(pemOf).join('\n'))
    return join(dir, name)
  }
  const files = [
    ...['-no-CApath', '-no-CAstore', '-CAfile', write('roots.pem', roots)],
    ...(chain.length > 1 ? ['-untrusted', write('untrusted.pem', chain.slice(1))] : []),
    write('leaf.pem', chain.slice(0, 1)),
  ]
  // Level 2 is 112 bits: no SHA-1, no RSA of 1024 bits.
  const options = ['verify', '-x509_strict', '-auth_level', '2', '-attime', `${Math.floor(Date.now() / 1000)}`]
  try {
    return await new Promise((resolve, reject) => {
      execFile('openssl', [...options, ...flags, ...files], (error, stdout, stderr) => {
        if (!error) return resolve('ok')
        const [, words] = /^error \d+ at \d+ depth lookup: (.*)$/m.exec(stderr) ?? []
        return words ? resolve(words) : reject(new Error(`openssl: ${error.message} ${stdout} ${stderr}`))
      })
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Returns the same certificate as DER with a key of an unknown algorithm, signed again. */
export function withUnknownKey(certified: Certified, issuer: Certified): Buffer {
  const content = AsnConvert.parse(derOf(certified), Certificate)
  content.tbsCertificate.subjectPublicKeyInfo.algorithm.algorithm = '1.3.6.1.4.1.55555.2'
  const signer = KeyObject.from(issuer.keys.privateKey as never)
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(content.tbsCertificate)), signer)
  content.signatureValue = new Uint8Array(signature).buffer
  return Buffer.from(AsnConvert.serialize(content))
}

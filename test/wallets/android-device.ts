import { randomBytes } from 'node:crypto'
import {
  AttestationApplicationId,
  AttestationPackageInfo,
  AuthorizationList,
  IntegerSet,
  id_ce_keyDescription,
  KeyDescription,
  RootOfTrust,
  SecurityLevel,
  VerifiedBootState,
} from '@peculiar/asn1-android'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { exportJWK, type JWK } from 'jose'
import {
  base64Of,
  type CertificateOptions,
  type Certified,
  extension,
  newCertificate,
  pemOf,
} from '../certificates/certificates.ts'
import type { Api } from '../harness/api-client.ts'
import { newHolderKey } from './wallet.ts'

/** A phone with attestation keys from its manufacturer. The hierarchy is that of Google: RSA at the root, EC below. */
export interface AndroidDevice {
  root: Certified
  rootPem: string
  /** The certificates of the attestation keys, the device's own first. */
  issuers: Certified[]
}

export async function newAndroidDevice(root?: Certified): Promise<AndroidDevice> {
  const top =
    root ??
    (await newCertificate({ name: `Attestation ${randomBytes(4).toString('hex')}`, ca: true, kind: 'RSA-2048' }))
  const upper = await newCertificate({ name: 'Droid CA2', issuer: top, ca: true, kind: 'P-384', pathLength: 2 })
  const lower = await newCertificate({ name: 'Droid CA3', issuer: upper, ca: true })
  const own = await newCertificate({ name: 'TEE', issuer: lower, ca: true })
  return { root: top, rootPem: pemOf(top), issuers: [own, lower, upper] }
}

/** The application of the tests, as an operator registers it. */
export const packageName = 'com.example.wallet'
export const thumbprint = 'c1'.repeat(32)
export const androidApplication = (rootCertificates: string[], required = true) => ({
  type: 'android',
  name: 'Wallet',
  packageName,
  packageSigningCertificateThumbprints: ['00'.repeat(32), thumbprint],
  keyAttestation: { required, rootCertificates },
})

export interface AttestedChanges {
  levels?: [attestation: SecurityLevel, keymaster: SecurityLevel]
  packageNames?: string[]
  /** Hex. */
  signingCertificates?: string[]
  /** Leaves the application out of the attestation. */
  withoutApplication?: true
  /** Replaces the extension with the key description. */
  extensions?: CertificateOptions['extensions']
  leaf?: Partial<CertificateOptions>
}

export interface AttestedKey {
  leaf: Certified
  publicKeyJwk: JWK
  /** Base64 of DER, the leaf first and the root last. */
  keyAttestation: string[]
}

/**
 * Makes a key and attests it like Android. The certificate is valid since 1970, for a signing key, with an extension
 * that is not critical.
 */
export async function attestKey(
  { root, issuers }: AndroidDevice,
  challenge: string | Buffer,
  changes: AttestedChanges = {},
): Promise<AttestedKey> {
  const leaf = await newCertificate({
    name: 'Android Keystore Key',
    issuer: issuers[0]!,
    constraints: 'absent',
    hasIdentifiers: false,
    notBefore: new Date(0),
    notAfter: new Date('2048-01-01'),
    extensions: changes.extensions ?? [extension(id_ce_keyDescription, false, descriptionOf(challenge, changes))],
    ...changes.leaf,
  })
  const publicKeyJwk = await exportJWK(leaf.keys.publicKey as never)
  return { leaf, publicKeyJwk, keyAttestation: [leaf, ...issuers, root].map(base64Of) }
}

/** The DER of a KeyDescription (https://source.android.com/docs/security/features/keystore/attestation). */
export function descriptionOf(challenge: string | Buffer, changes: AttestedChanges = {}): number[] {
  const { levels = [SecurityLevel.trustedEnvironment, SecurityLevel.trustedEnvironment] } = changes
  const application = new AttestationApplicationId({
    // The library types these as strings but accepts only bytes.
    packageInfos: (changes.packageNames ?? [packageName]).map(
      (name) => new AttestationPackageInfo({ packageName: octets(Buffer.from(name)) as never, version: 1 }),
    ),
    signatureDigests: (changes.signingCertificates ?? [thumbprint]).map(
      (hex) => octets(Buffer.from(hex, 'hex')) as never,
    ),
  })
  const attestationApplicationId = new OctetString(AsnConvert.serialize(application))
  const description = new KeyDescription({
    attestationVersion: 300,
    attestationSecurityLevel: levels[0],
    keymasterVersion: 300,
    keymasterSecurityLevel: levels[1],
    attestationChallenge: new OctetString(octets(Buffer.from(challenge))),
    uniqueId: new OctetString(),
    softwareEnforced: new AuthorizationList({
      creationDateTime: Date.now(),
      ...(changes.withoutApplication ? {} : { attestationApplicationId }),
    }),
    teeEnforced: new AuthorizationList({
      purpose: new IntegerSet([2]),
      algorithm: 3,
      keySize: 256,
      origin: 0,
      rootOfTrust: new RootOfTrust({
        verifiedBootKey: new OctetString(octets(randomBytes(32))),
        deviceLocked: true,
        verifiedBootState: VerifiedBootState.verified,
        verifiedBootHash: new OctetString(octets(randomBytes(32))),
      }),
    }),
  })
  return [...new Uint8Array(AsnConvert.serialize(description))]
}

function octets(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

/** Registers an installation without attestation and returns its id. The application must allow that. */
export async function newHolderInstance({ anonymous }: { anonymous: Api }, applicationId: string): Promise<string> {
  const path = `/v1/holder/applications/${applicationId}`
  const { challenge } = (await anonymous.post(`${path}/challenges`)).body
  const { publicJwk } = await newHolderKey()
  const { status, body } = await anonymous.post(`${path}/instances`, { challenge, publicKeyJwk: publicJwk })
  if (status !== 201) throw new Error(`instance: ${status} ${JSON.stringify(body)}`)
  return body.id
}

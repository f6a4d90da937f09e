import type { X509Certificate } from 'node:crypto'
import {
  AttestationApplicationId,
  id_ce_keyDescription,
  NonStandardKeyDescription,
  SecurityLevel,
} from '@peculiar/asn1-android'
import { AsnConvert, type OctetString } from '@peculiar/asn1-schema'
import { certificateFromBase64, certificateFromPem, contentOf, extensionOf } from './certificate.ts'
import { FormatError } from './format-error.ts'
import { type PublicJwk, publicJwk } from './jwk.ts'
import { maxChainLength, verifyChain } from './x509-chain.ts'

/** The attestation of a key by its device (https://source.android.com/docs/security/features/keystore/attestation). */
export interface AndroidAttestation {
  publicJwk: PublicJwk
  challenge: Buffer
  /** Whether a trusted environment or a StrongBox, and not software, stores and attests the key. */
  isInHardware: boolean
  /** The app that requested the key: all package names of its user id. */
  packageNames: string[]
  /** The certificates with which the app is signed: SHA-256, lower-case hex. */
  signingCertificates: string[]
}

export interface AttestationQuestion {
  /** Base64 of DER, the leaf first. */
  chain: readonly string[]
  /** PEM. */
  roots: readonly string[]
  at: Date
}

/**
 * Verifies the chain of a key attestation and reads the attestation. Throws `invalid_certificate` for an invalid chain,
 * `invalid_attestation` for an invalid attestation, and `invalid_jwk` for an unsupported key. The messages name the fault.
 */
export function readAndroidAttestation({ chain, roots, at }: AttestationQuestion): AndroidAttestation {
  // Keeps one certificate for the root and one too many, so that a long chain is refused without parsing all of it.
  const sent = chain.slice(0, maxChainLength + 2).map(certificateFromBase64)
  const trusted = roots.map(certificateFromPem)
  const verdict = verifyChain({ chain: withoutRoot(sent, trusted), roots: trusted, at })
  if (!verdict.isTrusted) throw new FormatError('invalid_certificate', verdict.message)
  // Otherwise, the owner of an attested key could use it to attest other keys.
  const [, ...issuers] = sent
  if (issuers.some((each) => contentOf(each).extensions.includes(id_ce_keyDescription))) {
    throw invalid('an attested key attests another')
  }
  return { publicJwk: publicJwk(verdict.leaf.publicKey), ...readExtension(verdict.leaf) }
}

/**
 * Removes the root from the chain. A trust anchor is a name with a key (RFC 5280, section 6.1.1 (d)). Devices send the root certificate
 * from their time of production, which may have expired.
 */
function withoutRoot(chain: X509Certificate[], roots: X509Certificate[]): X509Certificate[] {
  const last = chain.at(-1)
  const isRoot = ({ subject, publicKey }: X509Certificate) =>
    last?.subject === subject && last.verify(publicKey) && last.publicKey.equals(publicKey)
  return chain.length > 1 && roots.some(isRoot) ? chain.slice(0, -1) : chain
}

function readExtension(leaf: X509Certificate): Omit<AndroidAttestation, 'publicJwk'> {
  const extension = extensionOf(leaf, id_ce_keyDescription)
  if (!extension) throw invalid('the key is not attested')
  const { attestationChallenge, attestationSecurityLevel, keymasterSecurityLevel, softwareEnforced } = parse(
    extension,
    NonStandardKeyDescription,
  )
  const application = softwareEnforced.findProperty('attestationApplicationId')
  if (!application) throw invalid('it does not say which app requested the key')
  const { packageInfos = [], signatureDigests = [] } = parse(application.buffer, AttestationApplicationId)
  return {
    challenge: bytesOf(attestationChallenge),
    isInHardware: [attestationSecurityLevel, keymasterSecurityLevel].every((level) => hardware.has(level)),
    packageNames: packageInfos.map(({ packageName }) => bytesOf(packageName).toString()),
    signingCertificates: signatureDigests.map((digest) => bytesOf(digest).toString('hex')),
  }
}

const hardware = new Set<number>([SecurityLevel.trustedEnvironment, SecurityLevel.strongBox])

function parse<Content>(bytes: ArrayBuffer, content: new () => Content): Content {
  try {
    return AsnConvert.parse(bytes, content)
  } catch (cause) {
    throw new FormatError('invalid_attestation', 'it cannot be read', { cause })
  }
}

/** Returns the bytes of a value. The library declares some values as an `OctetString` but returns an `ArrayBuffer`. */
function bytesOf(value: OctetString | ArrayBuffer): Buffer {
  return Buffer.from(value instanceof ArrayBuffer ? value : value.buffer)
}

function invalid(reason: string): FormatError {
  return new FormatError('invalid_attestation', reason)
}

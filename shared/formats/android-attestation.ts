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
import { longestChain, verifyChain } from './x509-chain.ts'

/** What a device attests of a key that it has made (https://source.android.com/docs/security/features/keystore/attestation). */
export interface AndroidAttestation {
  publicJwk: PublicJwk
  challenge: Buffer
  /** Whether a trusted environment or a StrongBox keeps the key and attests it, and not software. */
  isInHardware: boolean
  /** The app that asked for the key, by all names that its user id has. */
  packageNames: string[]
  /** Those with which the app is signed: SHA-256, lower-case hex. */
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
 * Follows the chain of a key attestation to one of the roots and reads it. Throws `invalid_certificate` with what is wrong with the
 * chain, `invalid_attestation` with what is wrong in the attestation, and `invalid_jwk` for a key of another kind than ours.
 */
export function readAndroidAttestation({ chain, roots, at }: AttestationQuestion): AndroidAttestation {
  // The copy of a root, and one too many to see that there are too many.
  const sent = chain.slice(0, longestChain + 2).map(certificateFromBase64)
  const trusted = roots.map(certificateFromPem)
  const verdict = verifyChain({ chain: withoutRoot(sent, trusted), roots: trusted, at })
  if (!verdict.isTrusted) throw new FormatError('invalid_certificate', verdict.message)
  // A key that a device attests could be used to attest more, in an extension of its own making.
  const [, ...issuers] = sent
  if (issuers.some((each) => contentOf(each).extensions.includes(id_ce_keyDescription))) {
    throw invalid('an attested key attests another')
  }
  return { publicJwk: publicJwk(verdict.leaf.publicKey), ...readExtension(verdict.leaf) }
}

/**
 * Whom we trust is a name with a key (RFC 5280, section 6.1.1 (d)). Devices send the certificate that it had when they were
 * made, which may be over by now.
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
  if (!application) throw invalid('it does not say which app asked for the key')
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

/** The library declares some texts of bytes as an object that has them, and gives the bytes. */
function bytesOf(value: OctetString | ArrayBuffer): Buffer {
  return Buffer.from(value instanceof ArrayBuffer ? value : value.buffer)
}

function invalid(reason: string): FormatError {
  return new FormatError('invalid_attestation', reason)
}

import type { KeyObject, X509Certificate } from 'node:crypto'
import {
  anyExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  KeyUsageFlags,
} from '@peculiar/asn1-x509'
import { type CertificateContent, contentOf } from './certificate.ts'
import { FormatError } from './format-error.ts'

export interface ChainQuestion {
  /** The chain with the leaf first. Each certificate is certified by the next one. The root can be the last, or be left out. */
  chain: readonly X509Certificate[]
  /** The trusted roots of the caller. */
  roots: readonly X509Certificate[]
  at: Date
  /** OIDs of extended key usage. The leaf must have one of them. Default: no requirement. */
  purposes?: readonly string[]
  /** Whether only critical extended key usages are compared with `purposes`, and a leaf needs none. The caller checks the leaf. */
  onlyCriticalPurposes?: boolean
  /** The key usage that the leaf must allow. Default: digitalSignature. */
  leafUsage?: KeyUsageFlags
  /** OIDs of extensions that the caller checks itself. They can be critical. */
  knownExtensions?: readonly string[]
}

type Requirements = Pick<ChainQuestion, 'purposes' | 'onlyCriticalPurposes' | 'knownExtensions'>

export interface TrustedChain {
  isTrusted: true
  leaf: X509Certificate
  root: X509Certificate
  /** Whether the chain contains the root itself, which some profiles forbid (HAIP 1.0, section 4.4.1). */
  hasRoot: boolean
}

export interface RefusedChain {
  isTrusted: false
  fault: ChainFault
  /** A description of the fault, without content of the certificates. */
  message: string
}

export type ChainFault = keyof typeof faults

const faults = {
  length: 'the chain does not have 1 to 5 certificates',
  duplicate: 'a certificate occurs twice',
  not_valid_now: 'a certificate is not valid now',
  no_root: 'the chain does not lead to a trusted root',
  issuer: 'a certificate is not issued by the next one',
  signature: 'a certificate is not signed by the next one',
  unreadable: 'a certificate cannot be read',
  weak_key: 'a key has an unsupported type or length',
  weak_signature: 'a signature has an unsupported algorithm',
  extension: 'a critical extension is unknown',
  name_constraints: 'a certificate has name constraints, which are not supported',
  purpose: 'a certificate is for another purpose',
  no_authority: 'an issuing certificate is not a CA certificate',
  key_usage: 'a certificate does not allow the use of its key',
  path_length: 'the chain is longer than the path length of an authority allows',
  leaf_is_authority: 'the leaf is an authority',
  leaf_signed_itself: 'the leaf is self-signed',
} as const

export const maxChainLength = 5

/**
 * Verifies a chain up to a trusted root (RFC 5280, section 6.1), with any policy and without revocation. Refuses certificates with name
 * constraints, authorities of the chain without key usage, and weak keys and signatures. The order of the chain is the only path.
 *
 * The verification starts at the root. The content and the key of a certificate are used only after the signature of a trusted issuer
 * was verified. An untrusted certificate therefore takes only one signature check.
 */
export function verifyChain(question: ChainQuestion): TrustedChain | RefusedChain {
  return verdictOf(() => follow(question))
}

/** Verifies a leaf that the caller trusts itself. No authority certifies it for the caller, and it can be self-signed. */
export function verifyPinnedLeaf(
  leaf: X509Certificate,
  question: Omit<ChainQuestion, 'chain' | 'roots'>,
): TrustedChain | RefusedChain {
  return verdictOf(() => {
    if (!isValidAt(leaf, question.at)) throw new ChainError('not_valid_now')
    requireUsableLeaf(leaf, question)
    return { leaf, root: leaf, hasRoot: true }
  })
}

function verdictOf(check: () => Omit<TrustedChain, 'isTrusted'>): TrustedChain | RefusedChain {
  try {
    return { isTrusted: true, ...check() }
  } catch (error) {
    if (error instanceof ChainError) return { isTrusted: false, fault: error.fault, message: faults[error.fault] }
    if (error instanceof FormatError) return { isTrusted: false, fault: 'unreadable', message: error.message }
    throw error
  }
}

/** Returns the fault of a certificate as a trust anchor, independent of its validity period. Returns undefined if there is none. */
export function faultOfAnchor(certificate: X509Certificate): string | undefined {
  try {
    const content = contentOf(certificate)
    requireAuthority(content, {})
    if (!content.isSelfIssued) return undefined
    requireIssued(certificate, certificate, content)
  } catch (error) {
    if (error instanceof ChainError) return anchorFaults[error.fault] ?? error.message
    if (error instanceof FormatError) return error.message
    throw error
  }
  return undefined
}

/** The faults of a single certificate. */
const anchorFaults: { [fault in ChainFault]?: string } = {
  issuer: 'its key identifiers contradict each other',
  signature: 'its signature is not valid',
  weak_key: 'its key has an unsupported type or length',
  weak_signature: 'its signature has an unsupported algorithm',
  extension: 'it has an unknown critical extension',
  name_constraints: 'it has name constraints, which are not supported',
  purpose: 'it is for another purpose',
  no_authority: 'it is not a CA certificate',
  key_usage: 'its key usage does not allow it to issue certificates',
}

function follow(question: ChainQuestion): Omit<TrustedChain, 'isTrusted'> {
  const { chain, roots, at } = question
  const [leaf, last] = [chain[0], chain.at(-1)]
  if (!leaf || !last || chain.length > maxChainLength) throw new ChainError('length')
  if (new Set(chain.map(({ fingerprint256 }) => fingerprint256)).size < chain.length) throw new ChainError('duplicate')
  if (!chain.every((each) => isValidAt(each, at))) throw new ChainError('not_valid_now')
  const own = roots.find(({ fingerprint256 }) => fingerprint256 === last.fingerprint256)
  const root = own ?? findIssuer(last, roots)
  const authorities = chain.slice(1, own ? -1 : undefined).toReversed()

  let issuer = root
  let content = readRoot(root, question)
  let mayFollow = content.pathLength
  for (const authority of authorities) {
    requireIssued(authority, issuer, content)
    content = contentOf(authority)
    requireAuthority(content, question)
    // An authority of the chain must have a key usage (RFC 5280, section 4.2.1.3). A root can be older than this rule.
    if (content.keyUsage === undefined) throw new ChainError('key_usage')
    // RFC 5280, section 6.1.4 (l) and (m).
    if (!content.isSelfIssued && mayFollow-- <= 0) throw new ChainError('path_length')
    mayFollow = Math.min(mayFollow, content.pathLength)
    issuer = authority
  }
  requireIssued(leaf, issuer, content)
  requireLeaf(leaf, question)
  return { leaf, root, hasRoot: own !== undefined }
}

/** Finds the issuer by name. If several roots have the name, finds the one whose key verifies the signature. */
function findIssuer(certificate: X509Certificate, roots: readonly X509Certificate[]): X509Certificate {
  const named = roots.filter((each) => each.subject === certificate.issuer || certificate.checkIssued(each))
  const issuer = named.length > 1 ? named.find((each) => certificate.verify(contentOf(each).publicKey)) : named[0]
  if (!issuer) throw new ChainError('no_root')
  return issuer
}

function readRoot(root: X509Certificate, question: ChainQuestion): CertificateContent {
  if (!isValidAt(root, question.at)) throw new ChainError('not_valid_now')
  const content = contentOf(root)
  requireAuthority(content, question)
  return content
}

function requireIssued(certificate: X509Certificate, issuer: X509Certificate, { publicKey }: CertificateContent): void {
  // Compares names, and key identifiers if there are any.
  if (!certificate.checkIssued(issuer)) throw new ChainError('issuer')
  if (!certificate.verify(publicKey)) throw new ChainError('signature')
  if (!signatureAlgorithms.has(contentOf(certificate).signatureAlgorithm)) throw new ChainError('weak_signature')
}

/** RFC 5280, section 6.1.4 (k) and (n). */
function requireAuthority(content: CertificateContent, question: Requirements): void {
  requireKnownExtensions(content, question)
  const { purposes } = content
  if (purposes && !purposes.includes(anyExtendedKeyUsage) && !hasPurpose(content, question))
    throw new ChainError('purpose')
  if (!content.isAuthority) throw new ChainError('no_authority')
  if (!allows(content, KeyUsageFlags.keyCertSign)) throw new ChainError('key_usage')
  if (!isStrong(content.publicKey)) throw new ChainError('weak_key')
}

function requireLeaf(leaf: X509Certificate, question: ChainQuestion): void {
  requireUsableLeaf(leaf, question)
  const content = contentOf(leaf)
  // A self-signed certificate has the name and the key of its issuer.
  if (content.isSelfIssued && leaf.verify(content.publicKey)) throw new ChainError('leaf_signed_itself')
}

function requireUsableLeaf(leaf: X509Certificate, question: Omit<ChainQuestion, 'chain' | 'roots'>): void {
  const content = contentOf(leaf)
  requireKnownExtensions(content, question)
  if (content.isAuthority) throw new ChainError('leaf_is_authority')
  // RFC 5280, section 4.2.1.3: a certificate that is not an authority must not allow keyCertSign.
  if (
    !allows(content, question.leafUsage ?? KeyUsageFlags.digitalSignature) ||
    (content.keyUsage ?? 0) & KeyUsageFlags.keyCertSign
  ) {
    throw new ChainError('key_usage')
  }
  if (!hasPurpose(content, question)) throw new ChainError('purpose')
  if (!isStrong(content.publicKey)) throw new ChainError('weak_key')
}

/** RFC 5280, sections 6.1.4 (o) and 6.1.5 (f). */
function requireKnownExtensions(content: CertificateContent, { knownExtensions = [], purposes }: Requirements): void {
  if (content.extensions.includes(id_ce_nameConstraints)) throw new ChainError('name_constraints')
  const isKnown = (id: string) =>
    processedExtensions.has(id) || knownExtensions.includes(id) || (id === id_ce_extKeyUsage && purposes !== undefined)
  if (!content.criticalExtensions.every(isKnown)) throw new ChainError('extension')
}

/** The critical extensions that need no check here. Alternative names are not used, and no policy is required. */
const processedExtensions = new Set<string>([
  id_ce_basicConstraints,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_certificatePolicies,
])

/** ECDSA and RSA PKCS #1 v1.5 with SHA-256, SHA-384 and SHA-512 (RFC 5758, RFC 8017), and Ed25519 (RFC 8410). */
const signatureAlgorithms = new Set([
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.3.101.112',
])

const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** The upper bounds limit the time of a verification. */
function isStrong({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = asymmetricKeyDetails
  if (asymmetricKeyType === 'rsa') return modulusLength >= 2048 && modulusLength <= 8192 && publicExponent < 2n ** 32n
  return asymmetricKeyType === 'ec' ? curves.includes(namedCurve) : asymmetricKeyType === 'ed25519'
}

/** Without the extension, every usage is allowed (RFC 5280, section 4.2.1.3). */
function allows({ keyUsage }: CertificateContent, use: KeyUsageFlags): boolean {
  return keyUsage === undefined || (keyUsage & use) !== 0
}

function hasPurpose(content: CertificateContent, { purposes, onlyCriticalPurposes = false }: Requirements): boolean {
  if (purposes === undefined) return true
  if (onlyCriticalPurposes && !content.criticalExtensions.includes(id_ce_extKeyUsage)) return true
  return purposes.some((each) => content.purposes?.includes(each))
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, at: Date): boolean {
  return validFromDate <= at && at <= validToDate
}

class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly fault: ChainFault

  constructor(fault: ChainFault) {
    super(faults[fault])
    this.fault = fault
  }
}

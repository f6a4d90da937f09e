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
  /** The leaf first, each certified by the next one; the root may be the last, or left out. */
  chain: readonly X509Certificate[]
  /** Whom the caller trusts. */
  roots: readonly X509Certificate[]
  at: Date
  /** OIDs of extended key usage: the leaf has to name one of them. Nothing is asked when left out. */
  purposes?: readonly string[]
  /** What the leaf's key has to be allowed to do; to sign, unless it is told. */
  leafUsage?: KeyUsageFlags
  /** OIDs of extensions that the caller looks at itself, which may therefore be critical. */
  knownExtensions?: readonly string[]
}

type Asked = Pick<ChainQuestion, 'purposes' | 'knownExtensions'>

export interface TrustedChain {
  isTrusted: true
  leaf: X509Certificate
  root: X509Certificate
  /** Whether the chain holds the root itself, which some profiles forbid (HAIP 1.0, section 4.4.1). */
  hasRoot: boolean
}

export interface RefusedChain {
  isTrusted: false
  fault: ChainFault
  /** What is wrong, in words; says nothing of what certificates hold. */
  message: string
}

export type ChainFault = keyof typeof faults

const faults = {
  length: 'a chain has 1 to 5 certificates',
  duplicate: 'a certificate is there twice',
  not_valid_now: 'a certificate is not valid now',
  no_root: 'the chain does not lead to a trusted root',
  issuer: 'a certificate is not issued by the next one',
  signature: 'a certificate is not signed by the next one',
  unreadable: 'a certificate cannot be read',
  weak_key: 'a key is of a kind or a length that is not accepted',
  weak_signature: 'a signature is of an algorithm that is not accepted',
  extension: 'a critical extension is not known here',
  name_constraints: 'a certificate constrains names, which is not looked at here',
  purpose: 'a certificate is for another purpose',
  no_authority: 'a certificate is issued by one that is no authority',
  key_usage: 'a key is used for what its certificate does not allow',
  path_length: 'there are more authorities in the chain than one of them allows',
  leaf_is_authority: 'the leaf is an authority',
  leaf_signed_itself: 'the leaf is signed by itself',
} as const

export const longestChain = 5

/**
 * Follows a chain to a trusted root as RFC 5280, section 6.1, has it, with any policy, and without name constraints (a
 * certificate that has some is refused) and revocation. Beyond it, authorities in the chain have to say what their keys are
 * for, and weak keys and signatures are refused. The order is that of the chain; no other path is looked for.
 *
 * It goes down from the root: nothing is read in a certificate, and no key of one used, before somebody trusted has signed
 * it. What nobody trusted has signed costs one signature check.
 */
export function verifyChain(question: ChainQuestion): TrustedChain | RefusedChain {
  try {
    return { isTrusted: true, ...follow(question) }
  } catch (error) {
    if (error instanceof Refusal) return { isTrusted: false, fault: error.fault, message: faults[error.fault] }
    if (error instanceof FormatError) return { isTrusted: false, fault: 'unreadable', message: error.message }
    throw error
  }
}

/** What keeps a certificate from being one that chains end at, whenever it is valid; undefined when nothing does. */
export function faultOfAnchor(certificate: X509Certificate): string | undefined {
  try {
    const content = contentOf(certificate)
    requireAuthority(content, {})
    if (!content.isSelfIssued) return undefined
    requireIssued(certificate, certificate, content)
  } catch (error) {
    if (error instanceof Refusal || error instanceof FormatError) return error.message
    throw error
  }
  return undefined
}

function follow(question: ChainQuestion): Omit<TrustedChain, 'isTrusted'> {
  const { chain, roots, at } = question
  const [leaf, last] = [chain[0], chain.at(-1)]
  if (!leaf || !last || chain.length > longestChain) throw new Refusal('length')
  if (new Set(chain.map(({ fingerprint256 }) => fingerprint256)).size < chain.length) throw new Refusal('duplicate')
  if (!chain.every((each) => isValidAt(each, at))) throw new Refusal('not_valid_now')
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
    // An authority of the chain has to say what its key is for (RFC 5280, section 4.2.1.3); a root may be older than that.
    if (content.keyUsage === undefined) throw new Refusal('key_usage')
    // RFC 5280, section 6.1.4 (l) and (m).
    if (!content.isSelfIssued && mayFollow-- <= 0) throw new Refusal('path_length')
    mayFollow = Math.min(mayFollow, content.pathLength)
    issuer = authority
  }
  requireIssued(leaf, issuer, content)
  requireLeaf(leaf, question)
  return { leaf, root, hasRoot: own !== undefined }
}

/** By name; of several of one name, the one whose key it is. */
function findIssuer(certificate: X509Certificate, roots: readonly X509Certificate[]): X509Certificate {
  const named = roots.filter((each) => each.subject === certificate.issuer || certificate.checkIssued(each))
  const issuer = named.length > 1 ? named.find((each) => certificate.verify(contentOf(each).publicKey)) : named[0]
  if (!issuer) throw new Refusal('no_root')
  return issuer
}

function readRoot(root: X509Certificate, question: ChainQuestion): CertificateContent {
  if (!isValidAt(root, question.at)) throw new Refusal('not_valid_now')
  const content = contentOf(root)
  requireAuthority(content, question)
  return content
}

function requireIssued(certificate: X509Certificate, issuer: X509Certificate, { publicKey }: CertificateContent): void {
  // Names, and the key identifiers where there are some.
  if (!certificate.checkIssued(issuer)) throw new Refusal('issuer')
  if (!certificate.verify(publicKey)) throw new Refusal('signature')
  if (!signatureAlgorithms.has(contentOf(certificate).signatureAlgorithm)) throw new Refusal('weak_signature')
}

/** RFC 5280, section 6.1.4 (k) and (n). */
function requireAuthority(content: CertificateContent, question: Asked): void {
  requireKnownExtensions(content, question)
  const { purposes } = content
  if (purposes && !purposes.includes(anyExtendedKeyUsage) && !hasPurpose(purposes, question))
    throw new Refusal('purpose')
  if (!content.isAuthority) throw new Refusal('no_authority')
  if (!allows(content, KeyUsageFlags.keyCertSign)) throw new Refusal('key_usage')
  if (!isStrong(content.publicKey)) throw new Refusal('weak_key')
}

function requireLeaf(leaf: X509Certificate, question: ChainQuestion): void {
  const content = contentOf(leaf)
  requireKnownExtensions(content, question)
  if (content.isAuthority) throw new Refusal('leaf_is_authority')
  // RFC 5280, section 4.2.1.3: who is no authority must not say that it signs certificates.
  if (
    !allows(content, question.leafUsage ?? KeyUsageFlags.digitalSignature) ||
    (content.keyUsage ?? 0) & KeyUsageFlags.keyCertSign
  ) {
    throw new Refusal('key_usage')
  }
  if (!hasPurpose(content.purposes ?? [], question)) throw new Refusal('purpose')
  if (!isStrong(content.publicKey)) throw new Refusal('weak_key')
  // It can have the name and the key of its issuer.
  if (content.isSelfIssued && leaf.verify(content.publicKey)) throw new Refusal('leaf_signed_itself')
}

/** RFC 5280, sections 6.1.4 (o) and 6.1.5 (f). */
function requireKnownExtensions(content: CertificateContent, { knownExtensions = [], purposes }: Asked): void {
  if (content.extensions.includes(id_ce_nameConstraints)) throw new Refusal('name_constraints')
  const isKnown = (id: string) =>
    processedExtensions.has(id) || knownExtensions.includes(id) || (id === id_ce_extKeyUsage && purposes !== undefined)
  if (!content.criticalExtensions.every(isKnown)) throw new Refusal('extension')
}

/** Alternative names are not used, and policies nowhere asked for: neither can make a chain worse. */
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

/** The upper bounds are for the time that a check takes. */
function isStrong({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = asymmetricKeyDetails
  if (asymmetricKeyType === 'rsa') return modulusLength >= 2048 && modulusLength <= 8192 && publicExponent < 2n ** 32n
  return asymmetricKeyType === 'ec' ? curves.includes(namedCurve) : asymmetricKeyType === 'ed25519'
}

/** What is not said is allowed (RFC 5280, section 4.2.1.3). */
function allows({ keyUsage }: CertificateContent, use: KeyUsageFlags): boolean {
  return keyUsage === undefined || (keyUsage & use) !== 0
}

function hasPurpose(named: readonly string[], { purposes }: Asked): boolean {
  return purposes === undefined || purposes.some((each) => named.includes(each))
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, at: Date): boolean {
  return validFromDate <= at && at <= validToDate
}

class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly fault: ChainFault

  constructor(fault: ChainFault) {
    super(faults[fault])
    this.fault = fault
  }
}

import { hash, type X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { AuthorityKeyIdentifier, id_ce_authorityKeyIdentifier } from '@peculiar/asn1-x509'
import { LRUCache } from 'lru-cache'
import { certificateFromBase64, certificateFromPem, contentOf, extensionOf } from './certificate.ts'
import { FormatError } from './format-error.ts'
import { type PublicJwk, publicJwk } from './jwk.ts'
import { maxChainLength, verifyChain } from './x509-chain.ts'

export interface Certified {
  /** The key of the leaf. */
  publicJwk: PublicJwk
  /** SHA-256 of the root, in the form of `X509Certificate.fingerprint256`. */
  rootFingerprint: string
  /** Whether the chain contains the root itself, which some profiles forbid (HAIP 1.0, section 4.4.1). */
  hasRoot: boolean
}

interface Accepted {
  certified: Certified
  /** The times between which all certificates are valid. */
  from: Date
  until: Date
}

// The cache is global, because the result depends only on the certificates. A wallet provider signs many attestations with one chain.
const acceptedChains = new LRUCache<string, Accepted>({ max: 1_000 })

/**
 * Verifies an `x5c` (RFC 7515, section 4.1.6) up to one of the trusted roots (PEM). Throws `invalid_certificate` with the fault, and
 * `invalid_jwk` for an unsupported key. An accepted chain is not verified again under the same roots. Its times are compared each time.
 * A critical extended key usage must be one of `purposes`, and is refused without them. The caller checks those that are not critical.
 */
export function verifyX5c(
  x5c: readonly string[],
  roots: readonly string[],
  at: Date,
  purposes?: readonly string[],
): Certified {
  // Keeps one certificate too many, so that a long chain is refused without parsing all of it.
  const sent = x5c.slice(0, maxChainLength + 1)
  const key = hash('sha256', JSON.stringify([sent, roots, purposes]), 'base64url')
  const acceptedChain = acceptedChains.get(key)
  if (acceptedChain && acceptedChain.from <= at && at <= acceptedChain.until) return acceptedChain.certified
  const chain = sent.map(certificateFromBase64)
  const verdict = verifyChain({
    chain,
    roots: roots.map(certificateFromPem),
    at,
    ...(purposes && { purposes, onlyCriticalPurposes: true }),
  })
  if (!verdict.isTrusted) throw new FormatError('invalid_certificate', verdict.message)
  const { leaf, root, hasRoot } = verdict
  const certified = { publicJwk: publicJwk(leaf.publicKey), rootFingerprint: root.fingerprint256, hasRoot }
  acceptedChains.set(key, { certified, ...timesOf([...chain, root]) })
  return certified
}

/**
 * Returns the key of the first certificate without a verification of the chain. Throws `invalid_certificate` and, for an unsupported key,
 * `invalid_jwk`.
 */
export function unverifiedKeyOf([leaf = '']: readonly string[]): PublicJwk {
  const { publicKey } = contentOf(certificateFromBase64(leaf))
  return publicJwk(publicKey)
}

function timesOf(certificates: X509Certificate[]): Pick<Accepted, 'from' | 'until'> {
  return {
    from: new Date(Math.max(...certificates.map(({ validFromDate }) => validFromDate.getTime()))),
    until: new Date(Math.min(...certificates.map(({ validToDate }) => validToDate.getTime()))),
  }
}

/**
 * Returns the key identifier of the issuer of the last certificate, in hex, to find its root among many. Returns undefined if the
 * certificate has none or cannot be read.
 */
export function issuerKeyIdentifierOf(x5c: readonly string[]): string | undefined {
  const last = x5c.at(-1)
  if (last === undefined) return undefined
  try {
    const extension = extensionOf(certificateFromBase64(last), id_ce_authorityKeyIdentifier)
    const { keyIdentifier } = extension ? AsnConvert.parse(extension, AuthorityKeyIdentifier) : {}
    return keyIdentifier && Buffer.from(keyIdentifier.buffer).toString('hex')
  } catch {
    return undefined
  }
}

import type { X509Certificate } from 'node:crypto'
import { certificateFromPem } from '../../shared/formats/certificate.ts'
import { faultOfAnchor, type RefusedChain, type TrustedChain } from '../../shared/formats/x509-chain.ts'
import { ListError } from './list-error.ts'

/** Verifies a chain up to one of the roots, by the rules of a format. */
export type VerifyListChain = (
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
) => TrustedChain | RefusedChain

export interface ListTrust {
  /** The trust anchors of the operator, in PEM. */
  anchors: readonly string[]
  /** The root of the last valid list, in PEM. */
  pinnedRoot?: string
  verify: VerifyListChain
}

/**
 * Verifies the chain: with the trust anchors, or else the root of the last list, or else the root in the first list. Throws a `ListError`.
 */
export function requireTrust(chain: readonly X509Certificate[], trust: ListTrust): TrustedChain {
  const { anchors, pinnedRoot, verify } = trust
  if (anchors.length > 0) {
    const verdict = chainUnder(chain, anchors.map(certificateFromPem), verify)
    if (verdict.isTrusted) return verdict
    throw new ListError(
      'ChainInvalid',
      `No trust anchor certifies the signer: ${verdict.message}. Compare trustAnchors with those of the publisher.`,
    )
  }
  const own = chain.at(-1)
  const ownRoot = own && chain.length > 1 && own.checkIssued(own) ? own : undefined
  if (pinnedRoot !== undefined) return pinnedChain(chain, certificateFromPem(pinnedRoot), { ownRoot, verify })
  if (!ownRoot) {
    throw new ListError(
      'RootMissing',
      'The list does not contain the root of its signer, so it cannot be verified. Add the root of the publisher to trustAnchors.',
    )
  }
  const verdict = chainUnder(chain, [ownRoot], verify)
  const fault = verdict.isTrusted ? faultOfAnchor(ownRoot) : verdict.message
  if (verdict.isTrusted && fault === undefined) return verdict
  throw new ListError('ChainInvalid', `The root of the list does not certify the signer: ${fault}. Ask the publisher.`)
}

function pinnedChain(
  chain: readonly X509Certificate[],
  pinned: X509Certificate,
  { ownRoot, verify }: { ownRoot: X509Certificate | undefined; verify: VerifyListChain },
): TrustedChain {
  const verdict = chainUnder(chain, [pinned], verify)
  if (verdict.isTrusted) return verdict
  const isOther = ownRoot ? ownRoot.fingerprint256 !== pinned.fingerprint256 : verdict.fault === 'no_root'
  if (!isOther) {
    throw new ListError(
      'ChainInvalid',
      `The root of the earlier lists does not certify the signer: ${verdict.message}. Ask the publisher.`,
    )
  }
  throw new ListError(
    'RootChanged',
    'The list has another root than the earlier lists. Ask the publisher, and add the new root to trustAnchors if it is correct.',
  )
}

/** Verifies the chain up to the first trusted certificate. Certificates above it are ignored. */
function chainUnder(chain: readonly X509Certificate[], roots: readonly X509Certificate[], verify: VerifyListChain) {
  const trusted = new Set(roots.map(({ fingerprint256 }) => fingerprint256))
  const end = chain.findIndex(({ fingerprint256 }) => trusted.has(fingerprint256))
  return verify(end === -1 ? chain : chain.slice(0, end + 1), roots)
}

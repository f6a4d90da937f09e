import type { X509Certificate } from 'node:crypto'
import { KeyUsageFlags } from '@peculiar/asn1-x509'
import { type RefusedChain, type TrustedChain, verifyChain, verifyPinnedLeaf } from '../../x509-chain.ts'

/** OID of extended key usage: signers of trusted lists (ETSI TS 119 612, clause 5.7.1). Signers need not have it. */
const trustedListSigning = '0.4.0.2231.3.0'

const ofListSigner = {
  leafUsage: KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation,
  purposes: [trustedListSigning],
  onlyCriticalPurposes: true,
}

/** Verifies the chain of a list of trusted entities. A trusted certificate is an authority, or the signer itself. */
export function verifyLoteChain(
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  at: Date,
): TrustedChain | RefusedChain {
  const [leaf] = chain
  const isPinned = roots.some(({ fingerprint256 }) => fingerprint256 === leaf?.fingerprint256)
  return leaf && isPinned
    ? verifyPinnedLeaf(leaf, { ...ofListSigner, at })
    : verifyChain({ ...ofListSigner, chain, roots, at })
}

/** Returns why a certificate cannot sign lists, independent of its validity period. Returns undefined if it can. */
export function faultOfListSigner(signer: X509Certificate): string | undefined {
  const verdict = verifyPinnedLeaf(signer, { ...ofListSigner, at: signer.validFromDate })
  return verdict.isTrusted ? undefined : verdict.message
}

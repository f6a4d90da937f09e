import { X509Certificate } from 'node:crypto'
import type { Reader } from '../../../../db/client.ts'
import { listCertificates } from '../../../../db/repos/certificates/certificates.ts'
import { listTrustedIssuers } from '../../../../db/repos/certificates/trusted-issuers.ts'
import { findEcosystem } from '../../../../db/repos/ecosystems/ecosystems.ts'
import { findIssuerAnchors } from '../../../../db/repos/ecosystems/validation.ts'
import { unknownReference } from '../../../../shared/errors/unknown-reference.ts'
import type { DecodedSdJwt } from '../../../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { isTexts } from '../../../../shared/formats/sd-jwt/read-jwt.ts'
import { issuerKeyIdentifierOf } from '../../../../shared/formats/x5c.ts'
import type { VerificationContext } from '../signer-keys.ts'

export interface TrustedRoots {
  /** The root certificates, in PEM. */
  roots: readonly string[]
  /** Returns whether signers below a root must have a purpose if the caller does not say it. Takes `X509Certificate.fingerprint256`. */
  requiresPurpose(rootFingerprint: string): boolean
}

/** Returns the trusted roots for a credential. Its claims are not verified yet. */
export type FindRoots = (decoded: DecodedSdJwt) => Promise<TrustedRoots>

/** Returns the roots that the caller trusts. Throws `bad_request` for an unknown ecosystem. */
export async function rootsOf(
  { deps, tenantId }: VerificationContext,
  trusted: string[] | { ecosystemId: string } | undefined,
): Promise<FindRoots> {
  const { read } = deps.db
  if (trusted === undefined) return () => findOwnRoots(read, tenantId)
  if (Array.isArray(trusted)) return async () => ({ roots: trusted, requiresPurpose: () => false })
  const { ecosystemId } = trusted
  const ecosystem = await findEcosystem(read, tenantId, ecosystemId)
  if (!ecosystem) throw unknownReference('trustedIssuers.ecosystemId', ecosystemId, 'GET /v1/ecosystems')
  return async ({ header: { x5c }, claims: { vct } }) => {
    const requiresPurpose = () => true
    if (!isTexts(x5c) || typeof vct !== 'string') return { roots: [], requiresPurpose }
    const query = { ecosystemId, type: vct, ski: issuerKeyIdentifierOf(x5c), at: deps.clock.now() }
    return { roots: await findIssuerAnchors(read, tenantId, query), requiresPurpose }
  }
}

/** The number of roots of each kind that are read. A tenant has a few. */
const maxRoots = 1_000

/** Returns the tenant's own IACAs, also inactive ones, and its trusted issuers. Only signers of the former must have a purpose. */
async function findOwnRoots(db: Reader, tenantId: string): Promise<TrustedRoots> {
  const [own, trusted] = await Promise.all([
    listCertificates(db, tenantId, 'iaca', { limit: maxRoots }),
    listTrustedIssuers(db, tenantId, { limit: maxRoots }),
  ])
  const ofOwn = own.flatMap(({ certificate }) => (certificate ? [new X509Certificate(certificate)] : []))
  const ownFingerprints = new Set(ofOwn.map(({ fingerprint256 }) => fingerprint256))
  return {
    roots: [...ofOwn.map(String), ...trusted.map(({ certificatePem }) => certificatePem)],
    requiresPurpose: (rootFingerprint) => ownFingerprints.has(rootFingerprint),
  }
}

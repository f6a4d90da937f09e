import { X509Certificate } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { findSigningAuthority } from '../../../db/repos/certificates/signing-authorities.ts'
import {
  type CompleteAccessCertificate,
  findActiveAccessCertificate,
} from '../../../db/repos/issuance/access-certificates.ts'
import { type ConfigurationRow, findAllConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { listAuthenticationProviders } from '../../../db/repos/issuance/sign-in-providers.ts'
import { findWalletProviderRoots } from '../../../db/repos/issuance/wallet-providers.ts'
import { hasAttestedWallet } from '../../../db/repos/issuance/wallets.ts'
import { findPublishedList, findReadableTokenLists } from '../../../db/repos/status/published-lists.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { readMetadata } from '../metadata/metadata.ts'
import { signMetadata } from '../metadata/signed-metadata.ts'
import type { Evidence, SdJwtSigner } from './finding.ts'

/**
 * Reads what the checks look at. Signs the metadata again, because wallets get the same signature for minutes. Throws `service_unavailable` if
 * that fails.
 */
export async function readEvidence(deps: Deps, tenant: Tenant): Promise<Evidence> {
  const { read } = deps.db
  const [metadata, configurations, providers, roots, isWalletAttested, statusChain, access] = await Promise.all([
    readMetadata(deps, tenant),
    findAllConfigurations(read, tenant.id),
    listAuthenticationProviders(read, tenant.id, { limit: 1 }),
    findWalletProviderRoots(read, tenant.id),
    hasAttestedWallet(read, tenant.id),
    readStatusChain(deps, tenant.id),
    findActiveAccessCertificate(read, tenant.id),
  ])
  // Below a managed authority, this signature creates a missing signer.
  const signed = await signMetadata(deps, tenant, metadata.issuer)
  return {
    tenant,
    metadata,
    configurations,
    providers: providers.length,
    walletProviders: roots.length,
    hasAttestedWallet: isWalletAttested,
    signedMetadata: { typ: decodeProtectedHeader(signed).typ, chain: chainOf(signed) },
    sdJwtSigners: await findSdJwtSigners(deps, tenant.id, configurations),
    registered: { access: access && isValid(access, deps.clock.now()) ? access.fingerprint : undefined },
    statusChain,
  }
}

function isValid({ notBefore, notAfter }: CompleteAccessCertificate, at: Date): boolean {
  return notBefore <= at && at < notAfter
}

async function findSdJwtSigners(
  { db, clock }: Deps,
  tenantId: string,
  configurations: readonly ConfigurationRow[],
): Promise<SdJwtSigner[]> {
  const at = clock.now()
  const caIds = configurations.flatMap((each) => (each.profile === 'sd-jwt' ? [each.settings.signerCaId] : []))
  return Promise.all(
    [...new Set(caIds)].map(async (caId) => {
      const signing = await findSigningAuthority(db.read, tenantId, { kind: 'sd-jwt-signer', caId, at })
      return { caId, certificate: signing?.signer && new X509Certificate(signing.signer.certificate) }
    }),
  )
}

async function readStatusChain({ db, clock }: Deps, tenantId: string): Promise<X509Certificate[] | undefined> {
  const newest = (await findReadableTokenLists(db.read, tenantId, ['sd-jwt'], clock.now())).at(-1)
  const list = newest === undefined ? undefined : await findPublishedList(db.read, tenantId, 'sd-jwt', newest.id)
  return list?.jwt ? chainOf(list.jwt.toString()) : undefined
}

/** Returns the certificates in the `x5c` of a JWS (RFC 7515, section 4.1.6). */
function chainOf(jws: string): X509Certificate[] {
  const { x5c = [] } = decodeProtectedHeader(jws)
  return x5c.map((certificate) => new X509Certificate(Buffer.from(certificate, 'base64')))
}

import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import type { StatusListKind } from '../../../db/tables/status/lists.ts'
import { defaultSettings } from '../../../db/tables/tenancy/tenants.ts'
import { isCertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'
import {
  aggregationPath,
  defaultLifetime,
  statusListPath,
  tokenListBits,
} from '../../../shared/domain/status/status-lists.ts'
import { didWebDocumentUrl } from '../../../shared/formats/did.ts'
import type { StatusListFormat } from '../../../shared/formats/token-status-list.ts'
import type { CertificateDeps } from '../certificates/deps.ts'
import { statusListSigner } from '../certificates/signers.ts'
import { type Issuer, type IssuerKeyDeps, issuerKey, madeDidKey } from '../issuer-key.ts'
import { type SignedList, signList } from './sign-list.ts'
import { signTokenList } from './sign-token-list.ts'

export interface ListDeps extends IssuerKeyDeps, CertificateDeps {}

/** A stored list of an issuer. */
export interface IssuerList {
  id: string
  kind: StatusListKind
  /** The issuer of a revocation list: a DID that an operator created, or empty for the tenant's own DID. */
  series: string
  size: number
  /** The IACA of a token status list. */
  caId: string | null
  format: StatusListFormat | null
  /** The lifetime from the current configuration of the document type. Null without a configuration. */
  ttlDays: number | null
  expiryDays: number | null
}

/** The content of a list at a time. */
export interface ListStatuses {
  /** The entries that are not valid, in any order. */
  positions: Iterable<number>
  /** The suspended entries among `positions`. Only token status lists distinguish them. */
  suspended?: ReadonlySet<number>
  at: Date
}

/** Returns the URL of a list, as in credentials and in the list itself. */
export function listUrl(deps: Pick<ListDeps, 'publicScheme'>, issuer: Issuer, list: ListRef): string {
  return baseUrlOf(deps, issuer) + statusListPath(list.kind, list.id)
}

type ListRef = Pick<IssuerList, 'kind' | 'id'>

/** Returns the base URL of the tenant with this DID. */
export function baseUrlOf({ publicScheme }: Pick<ListDeps, 'publicScheme'>, { did }: Issuer): string {
  return `${publicScheme}://${new URL(didWebDocumentUrl(did)).host}`
}

/**
 * Signs a list with the key that signs its credentials. A token status list is signed by a status list signer of its IACA. Throws
 * `credential_request_denied` if there is none.
 */
export async function signIssuerList(
  deps: ListDeps,
  issuer: Issuer,
  list: IssuerList,
  statuses: ListStatuses,
): Promise<SignedList> {
  const { kind, size } = list
  const url = listUrl(deps, issuer, list)
  if (!isCertifiedProfile(kind)) {
    const { series: createdDid } = list
    const issuerDid = createdDid || issuer.did
    const key = createdDid
      ? await madeDidKey(deps, { ...issuer, did: createdDid }, kind)
      : await issuerKey(deps, issuer, kind)
    return signList({ kind, size, url, issuerDid, key, ...statuses })
  }
  const { caId, format, ttlDays, expiryDays } = list
  if (caId === null || format === null) throw new Error(`the token status list ${list.id} has no IACA or no format`)
  const signer = await statusListSigner(deps, issuer.tenantId, caId)
  const bits = tokenListBits(kind, format)
  const aggregationUrl = baseUrlOf(deps, issuer) + aggregationPath
  return signTokenList({
    ...{
      format,
      bits,
      url,
      aggregationUrl,
      signer,
      size,
      suspended: new Set<number>(),
      ...statuses,
    },
    ttlDays: ttlDays ?? defaultLifetime.ttlDays,
    maxAgeSeconds: bits > 1 ? await suspensionMaxAge(deps, issuer) : Number.POSITIVE_INFINITY,
    expiryDays: expiryDays ?? defaultLifetime.expiryDays,
  })
}

/** Returns the maximum age of a list with suspensions, in seconds. */
async function suspensionMaxAge({ db }: Pick<ListDeps, 'db'>, { tenantId }: Issuer): Promise<number> {
  const { settings } = (await findTenant(db.read, tenantId)) ?? { settings: defaultSettings }
  return settings.suspensionMaxAgeSeconds
}

import type { StatusListKind } from '../../../db/tables/status/lists.ts'
import { defaultLifetime, distributionPath, statusListPath } from '../../../shared/domain/status/status-lists.ts'
import { didWebDocumentUrl } from '../../../shared/formats/did.ts'
import type { StatusListFormat } from '../../../shared/formats/token-status-list.ts'
import type { CertificateDeps } from '../certificates/deps.ts'
import { statusListSigner } from '../certificates/signers.ts'
import { type Issuer, type IssuerKeyDeps, issuerKey, madeDidKey } from '../issuer-key.ts'
import { type SignedList, signList } from './sign-list.ts'
import { signTokenList } from './sign-token-list.ts'

export interface ListDeps extends IssuerKeyDeps, CertificateDeps {}

/** A list of an issuer's, as it is stored. */
export interface IssuerList {
  id: string
  kind: StatusListKind
  /** Of a revocation list: the DID of those that operators made in whose name it is, or empty for the tenant's own. */
  series: string
  size: number
  /** Of a token status list. */
  caId: string | null
  format: StatusListFormat | null
  /** As the configuration of its document type has it now; null where there is none. */
  ttlDays: number | null
  expiryDays: number | null
}

/** What a list says at a moment. */
export interface Said {
  /** The entries that are not valid, in any order. */
  positions: Iterable<number>
  /** Those of them that are not invalid for good; token status lists alone tell these apart. */
  suspended?: ReadonlySet<number>
  at: Date
}

/** The list's address, which credentials and the list itself name. */
export function listUrl(deps: Pick<ListDeps, 'publicScheme'>, issuer: Issuer, list: ListRef): string {
  return addressOf(deps, issuer) + statusListPath(list.kind, list.id)
}

type ListRef = Pick<IssuerList, 'kind' | 'id'>

function addressOf({ publicScheme }: Pick<ListDeps, 'publicScheme'>, { did }: Issuer): string {
  return `${publicScheme}://${new URL(didWebDocumentUrl(did)).host}`
}

/**
 * Signs what a list says: with the key that signs its credentials, or, a token status list, with that of a status list
 * signer of the same IACA. Throws `credential_request_denied` where there is none.
 */
export async function signIssuerList(
  deps: ListDeps,
  issuer: Issuer,
  list: IssuerList,
  says: Said,
): Promise<SignedList> {
  const { kind, size } = list
  const url = listUrl(deps, issuer, list)
  if (kind !== 'mobile') {
    const { series: made } = list
    const issuerDid = made || issuer.did
    const key = made ? await madeDidKey(deps, { ...issuer, did: made }, kind) : await issuerKey(deps, issuer, kind)
    return signList({ kind, size, url, issuerDid, key, ...says })
  }
  const { caId, format, ttlDays, expiryDays } = list
  if (caId === null || format === null) throw new Error(`the token status list ${list.id} has no IACA or no format`)
  const signer = await statusListSigner(deps, issuer.tenantId, caId)
  const aggregationUrl = addressOf(deps, issuer) + distributionPath
  return signTokenList({
    ...{ format, url, aggregationUrl, signer, size, suspended: new Set<number>(), ...says },
    ttlDays: ttlDays ?? defaultLifetime.ttlDays,
    expiryDays: expiryDays ?? defaultLifetime.expiryDays,
  })
}

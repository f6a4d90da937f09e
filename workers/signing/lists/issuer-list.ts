import type { StatusListKind } from '../../../db/tables/status/lists.ts'
import { didWebDocumentUrl } from '../../../shared/formats/did.ts'
import { statusListPath } from '../../../shared/status-lists.ts'
import { type Issuer, type IssuerKeyDeps, issuerKey } from '../issuer-key.ts'
import { type SignedList, signList } from './sign-list.ts'

export interface ListDeps extends IssuerKeyDeps {
  /** Of the addresses of tenants. */
  publicScheme: 'http' | 'https'
}

/** A list of an issuer's, as it is stored. */
export interface IssuerList {
  id: string
  kind: StatusListKind
  size: number
}

/** The list's address, which credentials and the list itself name. */
export function listUrl(
  { publicScheme }: ListDeps,
  { did }: Issuer,
  { kind, id }: Pick<IssuerList, 'kind' | 'id'>,
): string {
  return `${publicScheme}://${new URL(didWebDocumentUrl(did)).host}${statusListPath(kind, id)}`
}

/** Signs what a list says at a moment, with the key that signs the issuer's credentials. */
export async function signIssuerList(
  deps: ListDeps,
  issuer: Issuer,
  list: IssuerList,
  says: { positions: Iterable<number>; at: Date },
): Promise<SignedList> {
  const { kind, size } = list
  const key = await issuerKey(deps, issuer, kind)
  return signList({ kind, size, url: listUrl(deps, issuer, list), issuerDid: issuer.did, key, ...says })
}

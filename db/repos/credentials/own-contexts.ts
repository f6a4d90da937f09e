import { knownContexts } from '../../../shared/formats/json-ld-contexts.ts'
import type { OwnContexts } from '../../../shared/formats/own-contexts.ts'
import type { Reader } from '../../client.ts'
import { findContextsAt } from './contexts.ts'

export interface NamedContexts {
  /** The contexts of the tenant. */
  own: OwnContexts
  /** The ids of the contexts in `own`. */
  ids: string[]
  /** URLs that neither the service nor the tenant has. */
  unknown: string[]
}

/** Finds the contexts of the URLs. */
export async function findNamedContexts(db: Reader, tenantId: string, urls: readonly string[]): Promise<NamedContexts> {
  const others = urls.filter((url) => !knownContexts.has(url))
  const rows = await findContextsAt(db, tenantId, others)
  const own = new Map(rows.map(({ url, document }) => [url, document]))
  return { own, ids: rows.map(({ id }) => id), unknown: others.filter((url) => !own.has(url)) }
}

import { LRUCache } from 'lru-cache'
import type { Reader } from '../../../db/client.ts'
import { findListConfigurationFor } from '../../../db/repos/status/list-configurations.ts'
import type { StatusListRow } from '../../../db/repos/status/lists.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import type { RevocationListKind } from '../../../db/tables/status/lists.ts'
import { tokenListSize } from '../../../shared/domain/status/status-lists.ts'
import { Problem } from '../../../shared/errors.ts'
import type { ListDeps } from './issuer-list.ts'

/** What the lists of a series have in common, which are opened one after the other. */
export interface ListSeries
  extends Pick<StatusListRow, 'kind' | 'series' | 'size' | 'caId' | 'configurationId' | 'format'> {
  ttlDays: number | null
  expiryDays: number | null
}

const ofRevocation = { caId: null, configurationId: null, format: null, ttlDays: null, expiryDays: null }

/**
 * Credentials of a profile share their lists that have one issuer, which signs both: verifiers of RevocationList2020 hold them
 * against each other. `madeDid` is one that operators made; without it the issuer is the tenant's own DID.
 */
export function revocationSeries(kind: RevocationListKind, madeDid = ''): ListSeries {
  return { ...ofRevocation, kind, series: madeDid, size: 1_000_000 }
}

type ListFormat = Pick<ListSeries, 'configurationId' | 'format' | 'ttlDays' | 'expiryDays'>

/** How the lists of document types are made, by tenant and type. */
export type ListFormats = LRUCache<string, ListFormat>

/** Nothing has to be exact to the second: what was made for another format or configuration stays right. */
const seenForMs = 1_000

export function createListFormats(): ListFormats {
  return new LRUCache({ max: 5_000, ttl: seenForMs })
}

/**
 * Credentials share their lists that were signed under one IACA, whose document types have no configuration, or are of one; a list
 * is in one format for good.
 */
export async function tokenSeries(
  { db, listFormats }: Pick<ListDeps, 'db'> & { listFormats: ListFormats },
  { tenantId, docType, caId }: { tenantId: string; docType: string; caId: string },
): Promise<ListSeries> {
  const name = [tenantId, docType].join(' ')
  const known = listFormats.get(name)
  const found = known ?? (await findListFormat(db.read, tenantId, docType))
  if (!known) listFormats.set(name, found)
  const { configurationId, format, ...lifetime } = found
  const series = [caId, configurationId ?? '', format].join(' ')
  return { kind: 'mobile', series, size: tokenListSize, caId, configurationId, format, ...lifetime }
}

async function findListFormat(db: Reader, tenantId: string, docType: string): Promise<ListFormat> {
  const [tenant, configuration] = await Promise.all([
    findTenant(db, tenantId),
    findListConfigurationFor(db, tenantId, docType),
  ])
  if (!tenant) throw new Problem('not_found')
  const { id: configurationId = null, ttlDays = null, expiryDays = null } = configuration ?? {}
  return { format: tenant.settings.statusListFormat, configurationId, ttlDays, expiryDays }
}

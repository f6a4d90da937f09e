import { LRUCache } from 'lru-cache'
import type { Reader } from '../../../db/client.ts'
import { findListConfigurationFor } from '../../../db/repos/status/list-configurations.ts'
import type { StatusListRow } from '../../../db/repos/status/lists.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import type { RevocationListKind } from '../../../db/tables/status/lists.ts'
import { tokenListSize } from '../../../shared/domain/status/status-lists.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { ListDeps } from './issuer-list.ts'

/** The common properties of the lists of a series, which follow each other. */
export interface ListSeries
  extends Pick<StatusListRow, 'kind' | 'series' | 'size' | 'caId' | 'configurationId' | 'format'> {
  ttlDays: number | null
  expiryDays: number | null
}

const ofRevocation = { caId: null, configurationId: null, format: null, ttlDays: null, expiryDays: null }

/**
 * Returns the series of a profile and an issuer. The issuer signs credentials and lists, because verifiers of RevocationList2020 compare
 * the issuers. `madeDid` is a DID that an operator created. The default issuer is the tenant's own DID.
 */
export function revocationSeries(kind: RevocationListKind, madeDid = ''): ListSeries {
  return { ...ofRevocation, kind, series: madeDid, size: 1_000_000 }
}

type ListFormat = Pick<ListSeries, 'configurationId' | 'format' | 'ttlDays' | 'expiryDays'>

/** Caches the format of lists by tenant and document type. */
export type ListFormats = LRUCache<string, ListFormat>

/** A list of an earlier format or configuration is valid too. */
const cachedForMs = 1_000

export function createListFormats(): ListFormats {
  return new LRUCache({ max: 5_000, ttl: cachedForMs })
}

/**
 * Returns the series of an IACA, a configuration and a format. The document types of one configuration share lists, and so do those without
 * one. The format of a list does not change.
 */
export async function tokenSeries(
  { db, listFormats }: Pick<ListDeps, 'db'> & { listFormats: ListFormats },
  { tenantId, docType, caId }: { tenantId: string; docType: string; caId: string },
): Promise<ListSeries> {
  const name = [tenantId, docType].join(' ')
  const cachedFormat = listFormats.get(name)
  const listFormat = cachedFormat ?? (await findListFormat(db.read, tenantId, docType))
  if (!cachedFormat) listFormats.set(name, listFormat)
  const { configurationId, format, ...lifetime } = listFormat
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

/** Returns the series of SD-JWT VCs under an authority. Their lists have the default lifetime and the format of the current draft. */
export function sdJwtSeries(caId: string): ListSeries {
  const format = 'draft14'
  const series = [caId, format].join(' ')
  return { ...ofRevocation, kind: 'sd-jwt', series, size: tokenListSize, caId, format }
}

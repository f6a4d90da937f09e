import type { ListConfigurationRow } from '../../../db/repos/status/list-configurations.ts'
import { defaultLifetime } from '../../../shared/domain/status/status-lists.ts'
import { derivedId } from '../../../shared/ids.ts'

/** A configuration as the API returns it. The default configuration has no document type. */
export type ShownConfiguration = Pick<ListConfigurationRow, 'id' | 'ttlDays' | 'expiryDays'> & {
  docType: string | null
}

/** Returns the id of a tenant's default configuration. The id is derived from the tenant id, because it has no row. */
export function defaultConfigurationId(tenantId: string): string {
  return derivedId('default status list configuration', tenantId)
}

/** Returns the configuration for the lists of document types that have no configuration. */
export function defaultConfiguration(tenantId: string): ShownConfiguration {
  return { id: defaultConfigurationId(tenantId), docType: null, ...defaultLifetime }
}

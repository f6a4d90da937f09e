import type { ListConfigurationRow } from '../../../db/repos/status/list-configurations.ts'
import { defaultLifetime } from '../../../shared/domain/status/status-lists.ts'
import { derivedId } from '../../../shared/ids.ts'

/** A configuration as it is shown. The default configuration has no document type. */
export type ShownConfiguration = Pick<ListConfigurationRow, 'id' | 'ttlDays' | 'expiryDays'> & {
  docType: string | null
}

/** The id of a tenant's default configuration. It has no row, so that the id follows from the tenant's. */
export function defaultConfigurationId(tenantId: string): string {
  return derivedId('default status list configuration', tenantId)
}

/** What the lists of document types without a configuration of their own are made by. */
export function defaultConfiguration(tenantId: string): ShownConfiguration {
  return { id: defaultConfigurationId(tenantId), docType: null, ...defaultLifetime }
}

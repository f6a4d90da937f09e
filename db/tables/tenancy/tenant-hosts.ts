import { index, table, text } from '../../columns.ts'

/** Every host by which a tenant is reached, its aliases and its own subdomain, lower case, with the port if there is one. */
export const tenantHosts = table(
  'tenant_hosts',
  {
    host: text('host').primaryKey(),
    tenantId: text('tenant_id').notNull(),
  },
  (columns) => [index('tenant_hosts_tenant').on(columns.tenantId)],
)

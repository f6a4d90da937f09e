import { index, table, text } from '../../columns.ts'

/** The hosts of a tenant: its subdomain and its aliases, in lower case, with the port if there is one. */
export const tenantHosts = table(
  'tenant_hosts',
  {
    host: text('host').primaryKey(),
    tenantId: text('tenant_id').notNull(),
  },
  (columns) => [index('tenant_hosts_tenant').on(columns.tenantId)],
)

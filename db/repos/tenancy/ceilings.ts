import { eq } from 'drizzle-orm'
import type { Ceilings } from '../../../shared/domain/tenancy/limits.ts'
import type { Writer } from '../../client.ts'
import { holdTenant } from '../../hold.ts'
import { trustedIssuers } from '../../tables/certificates/trusted-issuers.ts'
import { contexts } from '../../tables/credentials/contexts.ts'
import { presentationTemplates } from '../../tables/credentials/presentation-templates.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import { dids } from '../../tables/identifiers/dids.ts'
import { configurations } from '../../tables/issuance/configurations.ts'
import { holderApplications } from '../../tables/issuance/holder-applications.ts'
import { walletProviders } from '../../tables/issuance/wallet-providers.ts'
import { oauthClients } from '../../tables/issuance/wallets.ts'
import { inboxDids } from '../../tables/messaging/inbox-dids.ts'
import { inboxes } from '../../tables/messaging/inboxes.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'
import { statusListConfigurations } from '../../tables/status/list-configurations.ts'
import { clients } from '../../tables/tenancy/clients.ts'

/** The table and the ceiling of each limited resource. */
const counted = {
  webhooks: { table: webhooks, ceiling: 'webhooks' },
  clients: { table: clients, ceiling: 'clients' },
  oauthClients: { table: oauthClients, ceiling: 'clients' },
  walletProviders: { table: walletProviders, ceiling: 'walletProviders' },
  configurations: { table: configurations, ceiling: 'configurations' },
  holderApplications: { table: holderApplications, ceiling: 'holderApplications' },
  statusListConfigurations: { table: statusListConfigurations, ceiling: 'configurations' },
  dids: { table: dids, ceiling: 'dids' },
  trustedIssuers: { table: trustedIssuers, ceiling: 'trustedIssuers' },
  ecosystems: { table: ecosystems, ceiling: 'ecosystems' },
  contexts: { table: contexts, ceiling: 'contexts' },
  inboxes: { table: inboxes, ceiling: 'inboxes' },
  inboxDids: { table: inboxDids, ceiling: 'inboxDids' },
  presentationTemplates: { table: presentationTemplates, ceiling: 'configurations' },
} as const satisfies Record<string, { table: unknown; ceiling: keyof Ceilings }>

export type QuotaResource = keyof typeof counted

/**
 * Returns the ceiling if the tenant has reached it, or undefined if the tenant can store one more. Holds the tenant, so
 * that concurrent inserts are counted one after the other.
 */
export async function findCeilingReached(
  tx: Writer,
  tenantId: string,
  kind: QuotaResource,
  ceilings: Ceilings,
): Promise<number | undefined> {
  const { table, ceiling } = counted[kind]
  const tenant = await holdTenant(tx, tenantId)
  const max = tenant?.settings.limits[ceiling] ?? ceilings[ceiling]
  return (await tx.$count(table, eq(table.tenantId, tenantId))) < max ? undefined : max
}

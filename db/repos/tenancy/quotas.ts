import { eq } from 'drizzle-orm'
import type { Quotas } from '../../../shared/domain/tenancy/limits.ts'
import type { Writer } from '../../client.ts'
import { holdTenant } from '../../hold.ts'
import { trustedIssuers } from '../../tables/certificates/trusted-issuers.ts'
import { contexts } from '../../tables/credentials/contexts.ts'
import { presentationTemplates } from '../../tables/credentials/presentation-templates.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import { dids } from '../../tables/identifiers/dids.ts'
import { configurations } from '../../tables/issuance/configurations.ts'
import { holderApplications } from '../../tables/issuance/holder-applications.ts'
import { views } from '../../tables/issuance/views.ts'
import { walletProviders } from '../../tables/issuance/wallet-providers.ts'
import { oauthClients } from '../../tables/issuance/wallets.ts'
import { inboxDids } from '../../tables/messaging/inbox-dids.ts'
import { inboxes } from '../../tables/messaging/inboxes.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'
import { statusListConfigurations } from '../../tables/status/list-configurations.ts'
import { clients } from '../../tables/tenancy/clients.ts'
import { verifierApplications } from '../../tables/verifier/applications.ts'
import { verifierTemplates } from '../../tables/verifier/templates.ts'
import { verifierWalletProviders } from '../../tables/verifier/wallet-providers.ts'

/** The table and the quota of each limited resource. */
const counted = {
  webhooks: { table: webhooks, quota: 'webhooks' },
  clients: { table: clients, quota: 'clients' },
  oauthClients: { table: oauthClients, quota: 'clients' },
  walletProviders: { table: walletProviders, quota: 'walletProviders' },
  views: { table: views, quota: 'views' },
  configurations: { table: configurations, quota: 'configurations' },
  holderApplications: { table: holderApplications, quota: 'holderApplications' },
  statusListConfigurations: { table: statusListConfigurations, quota: 'configurations' },
  dids: { table: dids, quota: 'dids' },
  trustedIssuers: { table: trustedIssuers, quota: 'trustedIssuers' },
  ecosystems: { table: ecosystems, quota: 'ecosystems' },
  contexts: { table: contexts, quota: 'contexts' },
  inboxes: { table: inboxes, quota: 'inboxes' },
  inboxDids: { table: inboxDids, quota: 'inboxDids' },
  presentationTemplates: { table: presentationTemplates, quota: 'configurations' },
  verifierTemplates: { table: verifierTemplates, quota: 'configurations' },
  verifierApplications: { table: verifierApplications, quota: 'holderApplications' },
  verifierWalletProviders: { table: verifierWalletProviders, quota: 'walletProviders' },
} as const satisfies Record<string, { table: unknown; quota: keyof Quotas }>

export type QuotaResource = keyof typeof counted

/**
 * Returns the quota if the tenant has reached it, or undefined if the tenant can store one more. Holds the tenant, so
 * that concurrent inserts are counted one after the other.
 */
export async function findReachedQuota(
  tx: Writer,
  tenantId: string,
  kind: QuotaResource,
  quotas: Quotas,
): Promise<number | undefined> {
  const { table, quota } = counted[kind]
  const tenant = await holdTenant(tx, tenantId)
  const max = tenant?.settings.limits[quota] ?? quotas[quota]
  return (await tx.$count(table, eq(table.tenantId, tenantId))) < max ? undefined : max
}

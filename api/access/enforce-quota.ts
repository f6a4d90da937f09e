import type { Writer } from '../../db/client.ts'
import { findReachedQuota, type QuotaResource } from '../../db/repos/tenancy/quotas.ts'
import { defaultQuotas } from '../../shared/domain/tenancy/limits.ts'
import { Problem } from '../../shared/errors/errors.ts'

const names: Record<QuotaResource, string> = {
  webhooks: 'webhooks',
  clients: 'clients',
  oauthClients: 'registered wallets',
  walletProviders: 'wallet providers',
  views: 'views',
  configurations: 'configurations',
  holderApplications: 'holder applications',
  statusListConfigurations: 'status list configurations',
  dids: 'DIDs',
  trustedIssuers: 'trusted issuers',
  ecosystems: 'ecosystems',
  contexts: 'contexts',
  inboxes: 'inboxes',
  inboxDids: 'inbox DIDs',
  presentationTemplates: 'presentation request templates',
  verifierTemplates: 'templates of a verifier',
  verifierApplications: 'applications of a verifier',
  verifierWalletProviders: 'wallet providers of a verifier',
}

/**
 * Enforces the quota of a tenant for one kind of resource. Call it as the first step of the transaction that stores a new one. Throws
 * `conflict` if the tenant has reached the quota.
 */
export async function enforceQuota(tx: Writer, tenantId: string, kind: QuotaResource): Promise<void> {
  const max = await findReachedQuota(tx, tenantId, kind, defaultQuotas)
  if (max === undefined) return
  throw new Problem('conflict', { message: `A tenant can have at most ${max} ${names[kind]}. Delete one first.` })
}

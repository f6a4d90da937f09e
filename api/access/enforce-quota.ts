import type { Writer } from '../../db/client.ts'
import { findCeilingReached, type QuotaResource } from '../../db/repos/tenancy/ceilings.ts'
import { ceilings } from '../../shared/domain/tenancy/limits.ts'
import { Problem } from '../../shared/errors.ts'

const names: Record<QuotaResource, string> = {
  webhooks: 'webhooks',
  clients: 'clients',
  oauthClients: 'registered wallets',
  walletProviders: 'wallet providers',
  configurations: 'configurations',
  holderApplications: 'holder applications',
  statusListConfigurations: 'configurations of status lists',
  dids: 'DIDs',
  trustedIssuers: 'trusted issuers',
  ecosystems: 'ecosystems',
  contexts: 'contexts',
  inboxes: 'inboxes',
  inboxDids: 'DIDs of inboxes',
  presentationTemplates: 'templates of presentation requests',
}

/**
 * The first step of a transaction that stores one more of a kind that a tenant may have so many of. Throws `conflict` where
 * it has them already.
 */
export async function enforceQuota(tx: Writer, tenantId: string, kind: QuotaResource): Promise<void> {
  const most = await findCeilingReached(tx, tenantId, kind, ceilings)
  if (most !== undefined) throw new Problem('conflict', { message: `There may be ${most} ${names[kind]} at most` })
}

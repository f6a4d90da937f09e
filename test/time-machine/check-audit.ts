import type { Reader } from '../../db/client.ts'
import { checkChains, type Noted } from '../../db/repos/operations/audit/audit-chain.ts'
import { ed25519KeysOf, openCheckpoint } from '../../shared/formats/checkpoint.ts'
import { must } from './outside.ts'
import type { SimulatedTenant } from './tenants.ts'

/** What earlier checks have seen of the audits, by the id of the tenant. */
export type NotedAudits = Map<string, Noted>

/**
 * Requires that the audits of all tenants are whole, and contain the heads and the published checkpoints of earlier checks. Notes the
 * current ones.
 */
export async function requireAudits(
  db: Reader,
  tenants: readonly SimulatedTenant[],
  noted: NotedAudits,
): Promise<void> {
  for (const { id, name, outside } of tenants) {
    const keys = ed25519KeysOf(await outside.json('/v1/audit/jwks'))
    const checkpoint = openCheckpoint((await outside.get('/v1/audit/checkpoint')).bytes.toString(), keys)
    must(checkpoint !== undefined, `the checkpoint of ${name} is not signed by a published key`)
    const earlier = noted.get(id)
    noted.set(id, { ...earlier, checkpoints: [...(earlier?.checkpoints ?? []), checkpoint] })
  }
  for await (const report of checkChains(db, noted)) {
    if ('fault' in report) must(false, `the audit of ${report.tenantId} has a fault: ${report.fault}`)
    else noted.set(report.tenantId, { ...noted.get(report.tenantId), head: report.head })
  }
}

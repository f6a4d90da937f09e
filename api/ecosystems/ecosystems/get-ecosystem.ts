import type { Reader, Writer } from '../../../db/client.ts'
import {
  type CountedInEcosystem,
  countInEcosystem,
  type EcosystemRow,
  findEcosystem,
  holdToModify,
} from '../../../db/repos/ecosystems/ecosystems.ts'
import { defaultQuotas } from '../../../shared/domain/tenancy/limits.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'

/** Returns the ecosystem in the path. Throws `not_found`. */
export async function getEcosystem(db: Reader, tenantId: string, id: string): Promise<EcosystemRow> {
  const ecosystem = await findEcosystem(db, tenantId, id)
  if (!ecosystem) throw notFound('ecosystemId', id)
  return ecosystem
}

/**
 * Locks an ecosystem until the end of the transaction, so that other transactions cannot change its content or delete it. Call it
 * first in a transaction that changes the content. Throws `not_found`.
 */
export async function lockEcosystem(tx: Writer, tenantId: string, id: string, at: Date): Promise<EcosystemRow> {
  const ecosystem = await holdToModify(tx, tenantId, id, at)
  if (!ecosystem) throw notFound('ecosystemId', id)
  return ecosystem
}

const names: Record<CountedInEcosystem, string> = {
  ecosystemCredentialTypes: 'credential types',
  participants: 'participants',
  participantCertificates: 'certificates of participants',
}

/**
 * Requires that a locked ecosystem can have `more` further entries of a kind. Pass 0 if the entries are already stored. Throws
 * `conflict` at the limit.
 */
export async function enforceEcosystemQuota(
  tx: Writer,
  tenant: Tenant,
  ecosystemId: string,
  kind: CountedInEcosystem,
  more = 1,
): Promise<void> {
  const max = tenant.settings.limits[kind] ?? defaultQuotas[kind]
  if ((await countInEcosystem(tx, tenant.id, ecosystemId, kind)) + more <= max) return
  throw new Problem('conflict', { message: `An ecosystem can have at most ${max} ${names[kind]}. Delete one first.` })
}

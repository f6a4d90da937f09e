import type { Reader, Writer } from '../../../db/client.ts'
import {
  type CountedInEcosystem,
  countInEcosystem,
  type EcosystemRow,
  findEcosystem,
  holdToModify,
} from '../../../db/repos/ecosystems/ecosystems.ts'
import { ceilings } from '../../../shared/domain/tenancy/limits.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'

/** The ecosystem that the path names. Throws `not_found`. */
export async function getEcosystem(db: Reader, tenantId: string, id: string): Promise<EcosystemRow> {
  const ecosystem = await findEcosystem(db, tenantId, id)
  if (!ecosystem) throw notFound('ecosystemId', id)
  return ecosystem
}

/**
 * The first step of a transaction that changes what is in an ecosystem: nobody else changes anything there, or deletes it,
 * until it ends. Throws `not_found`.
 */
export async function modifyEcosystem(tx: Writer, tenantId: string, id: string, at: Date): Promise<EcosystemRow> {
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
 * An ecosystem, which is held, may have so many of a kind. Throws `conflict` where it has no room for so many more: 0 where they
 * were stored already.
 */
export async function requireRoomIn(
  tx: Writer,
  tenant: Tenant,
  ecosystemId: string,
  kind: CountedInEcosystem,
  more = 1,
): Promise<void> {
  const most = tenant.settings.limits[kind] ?? ceilings[kind]
  if ((await countInEcosystem(tx, tenant.id, ecosystemId, kind)) + more <= most) return
  throw new Problem('conflict', { message: `There may be ${most} ${names[kind]} in an ecosystem at most` })
}

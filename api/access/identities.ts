import type { Reader } from '../../db/client.ts'
import { findClient } from '../../db/repos/tenancy/clients.ts'
import type { Caller } from './subjects.ts'

/** Returns the id of the client or of the user of the console that sent a request. */
export function callerIdOf({ clientId, managementUserId }: Pick<Caller, 'clientId' | 'managementUserId'>): string {
  return clientId ?? managementUserId ?? ''
}

/**
 * Returns the clients and users of a tenant that can act as a caller: the caller, and those that know or knew a secret of the client. A
 * client of the platform is none of them.
 */
export async function identitiesOf(
  db: Reader,
  tenantId: string,
  caller: Pick<Caller, 'clientId' | 'managementUserId'>,
): Promise<string[]> {
  if (caller.clientId === undefined) return [callerIdOf(caller)]
  const client = await findClient(db, tenantId, caller.clientId)
  return client ? [client.id, ...(client.knownTo ?? [])] : []
}

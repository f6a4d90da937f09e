import { hash } from 'node:crypto'
import { insertConsoleSession } from '../../db/repos/console/sessions.ts'
import { newId } from '../../shared/ids.ts'
import type { Service } from './harness.ts'

/** Inserts a session of a client of the tenant. Returns its id. */
export async function newConsoleSession({ deps }: Pick<Service, 'deps'>, tenantId: string): Promise<string> {
  const at = deps.clock.now()
  const id = newId()
  const noPerson = { managementUserId: null, managementUserName: null, roles: null, providerHash: null }
  const times = { createdAt: at, lastUsedAt: at, expiresAt: new Date(at.getTime() + 3_600_000) }
  const secretHash = hash('sha256', id, 'base64url')
  const client = { clientId: newId(), clientSecretHash: secretHash }
  await deps.db.tx((tx) =>
    insertConsoleSession(tx, { id, tenantId, kind: 'browser', secretHash, ...client, ...noPerson, ...times }),
  )
  return id
}

import type { Database } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import { insertConsoleLink } from '../../../db/repos/console/links.ts'
import { changesBy } from '../../../db/repos/operations/audited.ts'
import { clients } from '../../../db/tables/tenancy/clients.ts'
import { type Clock, plusMs } from '../../../shared/clock.ts'
import { Misconfigured } from '../../../shared/dependency.ts'
import { hashSecret, newId, newSecretOf } from '../../../shared/ids.ts'

/** So long somebody takes at most from the terminal to the browser. */
const goodForMs = 15 * 60_000

/**
 * A link to the console that signs a management client in, once, within a quarter of an hour and as long as its secret is good. What
 * signs in stands behind `#`, which browsers send to nobody: it comes into no log. `baseUrl` is that of a host of the tenant. Throws
 * Misconfigured where the tenant has no such client.
 */
export async function makeConsoleLink(
  deps: { db: Database; clock: Clock },
  tenantId: string,
  { clientId, baseUrl }: { clientId: string; baseUrl: string },
): Promise<string> {
  const id = newId()
  const code = newSecretOf(id)
  const expiresAt = plusMs(deps.clock.now(), goodForMs)
  await changesBy(deps, { event: 'CONSOLE_LINK_CREATE' })(async (tx, tell) => {
    const client = await holdShared(tx, clients, tenantId, clientId)
    if (!client) throw new Misconfigured(`The tenant has no client ${clientId}.`)
    const hashes = { secretHash: hashSecret(code), clientSecretHash: client.secretHash }
    await insertConsoleLink(tx, { id, tenantId, clientId, ...hashes, expiresAt })
    tell(tenantId, { id, clientId })
  })
  return `${baseUrl}/console/#code=${code}`
}

import type { Database } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import { insertConsoleLink } from '../../../db/repos/console/links.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { clients } from '../../../db/tables/tenancy/clients.ts'
import { type Clock, plusMs } from '../../../shared/clock.ts'
import { hashSecret, newId, newSecretOf } from '../../../shared/ids.ts'
import { Misconfigured } from '../../../shared/process/dependency.ts'

const validForMs = 15 * 60_000

/**
 * Creates a link that signs a management client in to the console once, within 15 minutes and as long as the client's secret is
 * valid. The code is in the URL fragment (behind `#`). Browsers do not send the fragment, so that the code is in no log. `baseUrl`
 * is the base URL of a host of the tenant. Throws Misconfigured if the tenant has no such client.
 */
export async function createConsoleLink(
  deps: { db: Database; clock: Clock },
  tenantId: string,
  { clientId, baseUrl }: { clientId: string; baseUrl: string },
): Promise<string> {
  const id = newId()
  const code = newSecretOf(id)
  const expiresAt = plusMs(deps.clock.now(), validForMs)
  await changesBy(deps, { event: 'CONSOLE_LINK_CREATE' })(async (tx, record) => {
    const client = await holdShared(tx, clients, tenantId, clientId)
    if (!client) throw new Misconfigured(`The tenant has no client ${clientId}.`)
    const hashes = { secretHash: hashSecret(code), clientSecretHash: client.secretHash }
    await insertConsoleLink(tx, { id, tenantId, clientId, ...hashes, expiresAt })
    record(tenantId, { id, clientId })
  })
  return `${baseUrl}/console/#code=${code}`
}

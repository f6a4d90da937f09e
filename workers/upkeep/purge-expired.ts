import {
  findTenantIds,
  findWebhookIds,
  type Purge,
  purgeAuthorizations,
  purgeDeliveriesOf,
  purgeEventsOf,
  purgeIssuances,
  purgeOffers,
  purgePushedRequests,
  purgeRefreshTokens,
  purgeSessions,
  purgeSpentProofs,
  wipeIssuances,
} from '../../db/repos/retention.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'
import { inBatches } from './in-batches.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long what has ended is kept. Keys that are not published any more are kept for good: old signatures name them. */
export const keptForMs = {
  spentProofs: 0,
  /** After the token ended; a wallet that comes late is still told `invalid_token`. */
  sessions: hourMs,
  /** After what they gave ended; until then a code that comes twice is known. */
  authorizations: hourMs,
  pushedRequests: 0,
  refreshTokens: 0,
  /** After the offer ended; until then its user is told so (410) rather than that there is none. */
  offers: dayMs,
  /** Signed credentials, for webhooks that are replayed. */
  credentialContent: 7 * dayMs,
  /** The rest of an issuance. What is known of a credential, `GET /v1/users/{id}/credentials`, is kept. */
  issuances: 30 * dayMs,
  deliveries: 30 * dayMs,
  events: 90 * dayMs,
}

/** Removes what nobody needs any more, personal data above all, a bounded number of rows at a time. */
export async function purgeExpired(deps: WorkerDeps): Promise<void> {
  const at = deps.clock.now()
  const run = async (name: keyof typeof keptForMs, purge: Purge) => {
    const count = await inBatches(deps, purge, plusMs(at, -keptForMs[name]))
    if (count > 0) deps.log.debug({ name, count }, 'purged')
  }
  await run('spentProofs', purgeSpentProofs)
  await run('sessions', purgeSessions)
  await run('authorizations', purgeAuthorizations)
  await run('pushedRequests', purgePushedRequests)
  await run('refreshTokens', purgeRefreshTokens)
  await run('offers', purgeOffers)
  await run('credentialContent', wipeIssuances)
  await run('issuances', purgeIssuances)
  for (const { tenantId, id } of await findWebhookIds(deps.db.read))
    await run('deliveries', purgeDeliveriesOf(tenantId, id))
  for (const tenantId of await findTenantIds(deps.db.read)) await run('events', purgeEventsOf(tenantId))
}

import type { Reader, Writer } from '../../db/client.ts'
import { findIssuance, insertRequested, type UnwrittenIssuance } from '../../db/repos/issuance/issuances.ts'
import { findConfigurationsToSign, type IssuanceToSign } from '../../db/repos/issuance/issuances-to-sign.ts'
import { byHash, findSpentHashes, spendTogether } from '../../db/repos/issuance/sessions/spent-proofs.ts'
import { plusMs } from '../../shared/clock.ts'
import { issuanceWithinMs } from '../../shared/domain/issuance/issuance-deadline.ts'
import type { IssuanceRequest } from '../../shared/jobs/payloads.ts'
import type { SigningDeps } from './deps.ts'

/** An issuance to sign. A request of a wallet has no row yet. */
export type ToSign = IssuanceToSign & { unwritten?: UnwrittenIssuance }

/**
 * The reason why a request gets no row: an earlier run issued it, or its row has ended without a credential, or another request spent its
 * proof, or its session ended.
 */
export type NotWritten = 'issued' | 'ended' | 'repeated' | 'session_ended'

interface FoundRequests {
  toSign: ToSign[]
  notWritten: Map<string, NotWritten>
}

/** Returns the requests of a tenant with their configurations, and those that are not signed. Requests that are too old are in neither. */
export async function findRequestsToSign(
  { db, clock }: SigningDeps,
  tenantId: string,
  items: IssuanceRequest[],
): Promise<FoundRequests> {
  const earliest = plusMs(clock.now(), -issuanceWithinMs).getTime()
  const inTime = items.filter(({ requestedAt }) => requestedAt > earliest).map(readRequest)
  const configurationIds = [...new Set(inTime.map(({ issuance }) => issuance.configurationId))]
  const hashes = inTime.flatMap(({ uses }) => uses.map(({ hash }) => hash))
  const [configurations, spent] = await Promise.all([
    findConfigurationsToSign(db.read, tenantId, configurationIds),
    findSpentHashes(db.read, tenantId, hashes),
  ])
  const byId = new Map(configurations.map((each) => [each.configuration.id, each]))
  const toSign: ToSign[] = []
  const notWritten = new Map<string, NotWritten>()
  for (const unwritten of inTime) {
    const { issuance, uses } = unwritten
    const configured = byId.get(issuance.configurationId)
    if (uses.some(({ hash }) => spent.has(hash)))
      notWritten.set(issuance.id, await reasonOf(db.read, unwritten, 'repeated'))
    else if (configured) toSign.push({ ...configured, issuance: { ...issuance, state: 'requested' }, unwritten })
  }
  return { toSign, notWritten }
}

function readRequest({
  issuanceId,
  requestedAt,
  uses,
  traceparent: _,
  viewId,
  ...content
}: IssuanceRequest): UnwrittenIssuance {
  const issuance = { ...content, id: issuanceId, viewId: viewId ?? null, requestedAt: new Date(requestedAt) }
  return { issuance, uses: uses.map((use) => ({ ...use, expiresAt: new Date(use.expiresAt) })) }
}

/**
 * Spends the proofs of requests and writes their rows as `requested`, for a transaction that continues with these rows. Returns the requests
 * without a row. All proofs are spent before the first session is locked (hold.ts).
 */
export async function writeRequests(
  tx: Writer,
  requests: readonly UnwrittenIssuance[],
): Promise<Map<string, NotWritten>> {
  const notWritten = new Map<string, NotWritten>()
  for (const request of requests.toSorted(byFirstHash)) {
    const { tenantId, id } = request.issuance
    if (!(await spendTogether(tx, tenantId, request.uses))) notWritten.set(id, await reasonOf(tx, request, 'repeated'))
  }
  for (const request of requests) {
    const { id } = request.issuance
    if (!notWritten.has(id) && !(await insertRequested(tx, request.issuance)))
      notWritten.set(id, await reasonOf(tx, request, 'session_ended'))
  }
  return notWritten
}

/** The row of the issuance explains a refused insert. Without a row the reason is `otherwise`. */
async function reasonOf(
  db: Reader,
  { issuance: { tenantId, id } }: UnwrittenIssuance,
  otherwise: NotWritten,
): Promise<NotWritten> {
  const row = await findIssuance(db, tenantId, id)
  if (!row) return otherwise
  return row.state === 'issued' ? 'issued' : 'ended'
}

function byFirstHash({ uses: [left] }: UnwrittenIssuance, { uses: [right] }: UnwrittenIssuance): number {
  return left && right ? byHash(left, right) : 0
}

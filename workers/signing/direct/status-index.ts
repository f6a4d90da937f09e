import type { SignedBefore } from '../../../db/repos/credentials/signed.ts'
import type { SignatureRequest } from '../../../shared/jobs/payloads.ts'
import type { SigningDeps } from '../deps.ts'
import { listUrl } from '../lists/issuer-list.ts'
import type { ListSeries } from '../lists/list-series.ts'
import type { StatusIndex } from '../lists/status-index-allocator.ts'

/** A tenant with its own DID. */
type Own = { tenantId: string; did: string }

/** Returns the status index that an earlier run of the job has committed. */
export function committedStatusIndex(
  deps: SigningDeps,
  own: Own,
  kind: SignatureRequest['content']['profile'],
  { listId, position }: SignedBefore,
): StatusIndex | undefined {
  if (listId === null || position === null) return undefined
  return { listId, index: position, url: listUrl(deps, own, { kind, id: listId }) }
}

/** Allocates a status index of the series for a revocable credential. */
export async function takeStatusIndex(
  deps: SigningDeps,
  own: Own,
  { revocable }: SignatureRequest,
  series: ListSeries,
): Promise<StatusIndex | undefined> {
  if (!revocable) return undefined
  const [statusIndex] = await deps.statusIndexes.take(own, series, 1)
  return statusIndex
}

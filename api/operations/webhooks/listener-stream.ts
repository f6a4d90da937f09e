import { PassThrough, pipeline, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  findOpenListenerRequests,
  type ListenerRequestRow,
  renewLease,
} from '../../../db/repos/operations/listeners.ts'
import { plusMs } from '../../../shared/clock.ts'
import {
  leaseRenewedEveryMs,
  listenerLeaseMs,
  listenerRequestContext,
} from '../../../shared/domain/operations/listeners.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Deps } from '../../deps.ts'

const checkEveryMs = 200
/** Proxies close a connection that sends nothing for a minute. */
const commentEveryMs = 10_000
const maxDurationMs = 600_000
const maxOpen = 200

/** A client that reconnects can have its earlier stream for a moment. */
const maxStreams = 3
/** The open streams of this process, by listener. */
const openStreams = new Map<string, number>()

/** Streams the requests of a listener. Throws `conflict` if the listener has too many streams. */
export function streamOf(deps: Deps, streamed: Streamed): Readable {
  const { webhookId } = streamed
  const count = openStreams.get(webhookId) ?? 0
  if (count >= maxStreams)
    throw new Problem('conflict', { message: 'The listener has too many streams. End one first.' })
  openStreams.set(webhookId, count + 1)
  const closed = new AbortController()
  // The response closes this stream at once. The generator ends at its next check.
  const stream = new PassThrough().once('close', () => {
    closed.abort()
    const left = (openStreams.get(webhookId) ?? 1) - 1
    if (left === 0) openStreams.delete(webhookId)
    else openStreams.set(webhookId, left)
  })
  // An error closes the stream.
  pipeline(streamRequests(deps, streamed, closed.signal), stream, () => undefined)
  return stream
}

interface Streamed {
  tenantId: string
  webhookId: string
  /** The id of the last event that the client received. */
  lastEventId: string | undefined
}

/**
 * Yields the open requests of a listener as server-sent events, and renews its lease. Ends after ten minutes, when the process stops, and
 * when the listener was removed. Requests until `lastEventId` were received: they are not sent again.
 */
async function* streamRequests(deps: Deps, { tenantId, webhookId, lastEventId = '' }: Streamed, closed: AbortSignal) {
  const { db, clock, secrets } = deps
  const endsAt = performance.now() + maxDurationMs
  let [renewAt, commentAt] = [0, 0]
  let sent = new Set<string>()
  yield 'retry: 1000\n\n'
  while (!closed.aborted && performance.now() < endsAt && deps.lifecycle.phase === 'serving') {
    if (performance.now() >= renewAt) {
      renewAt = performance.now() + leaseRenewedEveryMs
      const until = plusMs(clock.now(), listenerLeaseMs)
      if (!(await db.tx((tx) => renewLease(tx, tenantId, webhookId, until)))) return
    }
    const open = await findOpenListenerRequests(db.read, tenantId, webhookId, maxOpen)
    const fresh = open.filter(({ id }) => id > lastEventId && !sent.has(id))
    for (const row of fresh) yield eventOf(row)
    // Two workers can store requests in another order than that of their ids. A later id does not hide an earlier one.
    sent = new Set(open.map(({ id }) => id))
    if (fresh.length > 0) continue
    if (performance.now() >= commentAt) {
      commentAt = performance.now() + commentEveryMs
      yield ': open\n\n'
    }
    await sleep(checkEveryMs)
  }

  function eventOf({ id, sealedRequest }: ListenerRequestRow): string {
    // The text is JSON without line ends.
    return `id: ${id}\nevent: request\ndata: ${secrets.open(sealedRequest, listenerRequestContext(id))}\n\n`
  }
}

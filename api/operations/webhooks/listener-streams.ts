import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  findNewListenerRequests,
  type ListenerRef,
  type NewListenerRequest,
  type ReadListener,
  renewLeases,
} from '../../../db/repos/operations/webhooks/listeners.ts'
import { plusMs } from '../../../shared/clock.ts'
import { leaseRenewedEveryMs, webhookListenerLeaseMs } from '../../../shared/domain/operations/listeners.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { createThrottledLog } from '../../../shared/log/throttled-log.ts'
import { listenerRequestContext } from '../../../shared/secrets/stored-contexts.ts'
import { isSignedIn, type SignInOfCaller } from '../../access/management.ts'
import { defineService, type ServiceDeps } from '../../process/services.ts'
import { firstToRead, forgetBefore, type ReadMarks, readByAll } from './read-marks.ts'

const checkEveryMs = 200
/** Proxies close a connection that sends nothing for a minute. */
const commentEveryMs = 10_000
const maxDurationMs = 600_000
/** The maximum number of requests that one query returns. */
const maxAtOnce = 200
/** A client that reconnects can have its earlier stream for a moment. */
const maxStreamsOfListener = 3

interface ListenerStreams {
  /**
   * Streams the requests of a listener that have no answer as server-sent events, and renews its lease. Ends after ten minutes, when the
   * process stops, when the listener was removed or its lease has ended, and some seconds after the session or the client of the caller has
   * ended. Throws `conflict` if the listener has too many streams.
   */
  open(listener: StreamedListener): Readable
}

export interface StreamedListener extends ListenerRef {
  leasedUntil: Date
  caller: SignInOfCaller
}

interface OpenStream extends StreamedListener {
  output: PassThrough
  read: ReadMarks
  /** Times of `performance.now()`. */
  endsAt: number
  renewAt: number
  commentAt: number
}

function newTimes(): Pick<OpenStream, 'endsAt' | 'renewAt' | 'commentAt'> {
  return { endsAt: performance.now() + maxDurationMs, renewAt: 0, commentAt: 0 }
}

/**
 * The streams of a web process. One query at a time reads the new requests of all streams, and one statement renews their leases. Each
 * renewal reads the caller of each stream. While
 * the database is not available, the streams stay open until their leases end.
 */
export const listenerStreams = defineService<ListenerStreams>('listenerStreams', { create: createListenerStreams })

function createListenerStreams(deps: ServiceDeps): ListenerStreams {
  const { db, clock, log } = deps
  const streams = new Set<OpenStream>()
  /** The loop must not run in the context of the request that starts it. */
  const outside = AsyncLocalStorage.snapshot()
  const logFailure = createThrottledLog<{ err: unknown }>((fields) => log.warn(fields, 'listener streams failed'))
  let isRunning = false

  return {
    open(listener) {
      if ([...streams].filter((each) => isSame(each, listener)).length >= maxStreamsOfListener)
        throw new Problem('conflict', { message: 'The listener has too many streams. End one first.' })
      const output = new PassThrough().once('close', () => streams.delete(stream))
      const stream: OpenStream = { ...listener, ...newTimes(), output, read: new Set() }
      streams.add(stream)
      output.write('retry: 1000\n\n')
      if (!isRunning) void outside(run)
      return output
    },
  }

  async function run(): Promise<void> {
    isRunning = true
    // A timer of its own, because a query can take long.
    const upkeep = setInterval(() => {
      for (const stream of writable(streams)) endOrComment(deps, stream)
    }, checkEveryMs)
    while (streams.size > 0) {
      await renew().catch((err) => logFailure('renew', { err }))
      const count = await read().catch((err) => logFailure('read', { err }))
      if (!count) await sleep(checkEveryMs)
    }
    clearInterval(upkeep)
    isRunning = false
  }

  async function renew(): Promise<void> {
    const now = performance.now()
    const due = writable(streams).filter(({ renewAt }) => now >= renewAt)
    if (due.length === 0) return
    const leasedUntil = plusMs(clock.now(), webhookListenerLeaseMs)
    const renewed = await db.tx((tx) => renewLeases(tx, due.map(refOf), leasedUntil))
    for (const stream of due) {
      if (!renewed.has(stream.webhookId) || !(await hasCaller(deps, stream))) stream.output.end()
      else Object.assign(stream, { leasedUntil, renewAt: now + leaseRenewedEveryMs })
    }
  }

  /** Returns the number of requests that at least one stream did not have. */
  async function read(): Promise<number> {
    // A stream whose client is slow gets its requests later.
    const reading = writable(streams).filter(({ output }) => !output.writableNeedDrain)
    if (reading.length === 0) return 0
    const from = firstToRead(clock.now())
    for (const stream of reading) forgetBefore(stream.read, from)
    const rows = await findNewListenerRequests(db.read, listenersOf(reading, from), maxAtOnce)
    for (const row of rows) for (const stream of reading) if (isSame(stream, row)) send(deps, stream, row)
    return rows.length
  }
}

function hasCaller({ db, clock }: ServiceDeps, { tenantId, caller }: OpenStream): Promise<boolean> {
  return isSignedIn(db.read, tenantId, caller, clock.now())
}

function endOrComment({ clock, lifecycle }: ServiceDeps, stream: OpenStream): void {
  const { output, endsAt, leasedUntil, commentAt } = stream
  const now = performance.now()
  if (now >= endsAt || leasedUntil <= clock.now() || lifecycle.phase !== 'serving') output.end()
  else if (now >= commentAt) {
    stream.commentAt = now + commentEveryMs
    output.write(': open\n\n')
  }
}

/** Writes a request to a stream that has not read it. */
function send({ secrets }: ServiceDeps, stream: OpenStream, { id, sealedRequest }: NewListenerRequest): void {
  if (stream.read.has(id)) return
  stream.read.add(id)
  if (!stream.output.writable) return
  // The text is JSON without line ends.
  const data = secrets.open(sealedRequest, listenerRequestContext(id))
  stream.output.write(`id: ${id}\nevent: request\ndata: ${data}\n\n`)
}

function writable(streams: ReadonlySet<OpenStream>): OpenStream[] {
  return [...streams].filter(({ output }) => output.writable)
}

/** Returns each listener once, and what all of its streams have read. They read no request with an id below `from`. */
function listenersOf(streams: OpenStream[], from: string): ReadListener[] {
  const byListener = [...Map.groupBy(streams, ({ webhookId }) => webhookId).values()]
  return byListener.flatMap((ofOne) => {
    const read = readByAll(ofOne.map((each) => each.read))
    return ofOne.slice(0, 1).map((each) => ({ ...refOf(each), from, read }))
  })
}

function refOf({ tenantId, webhookId }: ListenerRef): ListenerRef {
  return { tenantId, webhookId }
}

function isSame(one: ListenerRef, other: ListenerRef): boolean {
  return one.tenantId === other.tenantId && one.webhookId === other.webhookId
}

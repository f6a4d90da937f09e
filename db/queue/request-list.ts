import { randomUUID } from 'node:crypto'
import { available } from '../../shared/jobs/available.ts'
import type { Consumer, RequestList } from '../../shared/jobs/broker.ts'
import type { QueueName } from '../../shared/jobs/definition.ts'
import { type DirectChannel, requestText } from '../../shared/jobs/direct-requests.ts'
import { createListenerCheck, directListenerLeaseMs } from '../../shared/jobs/listener-lease.ts'
import type { PostgresAccess } from '../engine/database.ts'
import type { Signals } from '../engine/postgres-signals.ts'
import { serverTimeMs } from './postgres-values.ts'
import type { QueueValues } from './values.ts'

interface Context {
  queue: QueueName
  postgres: PostgresAccess
  signals: Signals
  values: QueueValues
}

/** Longer than a caller waits before its request becomes a job. Later, no process takes the row: its caller has ended. */
const keptMs = 10_000
/** How soon a listener that cannot renew its lease looks for requests. Each renewal finds those whose signal was lost. */
const pollMs = 5_000
const maxCounted = 1_000

const add = {
  name: 'add_queue_request',
  text: `INSERT INTO queue_requests (queue, id, request, expires_at) VALUES ($1, $2, $3, ${serverTimeMs} + $4::bigint)`,
}
const withdraw = { name: 'withdraw_queue_request', text: 'DELETE FROM queue_requests WHERE id = $1' }
const count = {
  name: 'count_queue_requests',
  text: `SELECT count(*) FROM (SELECT 1 FROM queue_requests WHERE queue = $1 LIMIT ${maxCounted}) AS waiting`,
}
const take = {
  name: 'take_queue_requests',
  text: `DELETE FROM queue_requests WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM queue_requests WHERE queue = $1 ORDER BY position LIMIT $2::int FOR UPDATE SKIP LOCKED))
    RETURNING request, position, expires_at > ${serverTimeMs}`,
}

const renew = {
  name: 'renew_request_listener',
  text: `WITH lease AS (
      INSERT INTO queue_unlogged_values (kind, id, value, expires_at) VALUES ($1, $2, '1', ${serverTimeMs} + $3::bigint)
      ON CONFLICT (kind, id) DO UPDATE SET expires_at = excluded.expires_at)
    SELECT EXISTS (SELECT 1 FROM queue_requests WHERE queue = $4)`,
}

const signalOf = (queue: QueueName) => `requests:${queue}`

export interface RequestChannel extends DirectChannel {
  /** Returns the number of waiting requests, at most 1,000. */
  depth(): Promise<number>
}

/** Direct requests over rows of PostgreSQL and signals, which idle signing processes of all machines answer at once. */
export function createRequestChannel({ queue, postgres, signals, values }: Context): RequestChannel {
  return {
    isOpen: createListenerCheck(async () => Object.keys(await values.list(`listener:${queue}`)).length > 0),
    async send(request) {
      await available(postgres.write(add, [queue, request.id, requestText(request.stored()), keptMs]))
      signals.send(signalOf(queue))
      return undefined
    },
    async withdraw({ id }) {
      await postgres.write(withdraw, [id]).catch(() => undefined)
    },
    depth: async () => Number((await postgres.read(count, [queue]))[0]?.[0]),
  }
}

/** Opens the side of a signing process. */
export function openRequestRows({ queue, postgres, signals, values }: Context, reply: Consumer['reply']): RequestList {
  const id = randomUUID()
  const bell = createBell()
  const unlisten = signals.listen(signalOf(queue), bell.ring)
  return {
    async renewLease() {
      const [[isWaiting] = []] = await postgres.write(renew, [`listener:${queue}`, id, directListenerLeaseMs, queue])
      if (isWaiting === 't') bell.ring()
    },
    endLease: () => values.remove(`listener:${queue}`, [id]),
    async take(max) {
      const waiting = bell.wait(pollMs)
      const rows = await postgres.write(take, [queue, max])
      if (rows.length === 0) await waiting
      return rows
        .toSorted(([, one], [, other]) => Number(one) - Number(other))
        .flatMap(([request, , isCurrent]) => (request && isCurrent === 't' ? [request] : []))
    },
    endWait: async () => bell.ringForever(),
    reply,
    disconnect: unlisten,
  }
}

/** Ends a wait. */
function createBell() {
  let ring: () => void = () => undefined
  let isForever = false
  return {
    ring: () => ring(),
    ringForever() {
      isForever = true
      ring()
    },
    /** Resolves after `ms`, or when the bell rings after this call. */
    wait(ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (isForever) resolve()
      const timer = setTimeout(resolve, ms)
      ring = () => {
        clearTimeout(timer)
        resolve()
      }
      return promise
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { reasonOf } from '../../shared/process/dependency.ts'
import type { StandbyStatus } from './database.ts'
import { type ConnectionPool, openPool } from './postgres-pool.ts'
import { PipelinedExchange, type PreparedCall, type Queryable } from './postgres-query.ts'
import { readsByTick } from './postgres-ticks.ts'
import { DatabaseUnavailable, translateError } from './unavailable.ts'

/** The time that a read waits until the standby has replayed what the primary had committed. */
const catchUpMs = 100
const askAgainMs = 10
/** A standby that does not answer within this time is not used. */
const answerWithinMs = 1_000
/** After a standby was late or did not answer, all reads go to the primary for this time. */
const pauseMs = 1_000
/** Above this lag, readiness reports a problem. */
const maxLagSeconds = 30

/** The position of the primary in its log, the identity of its database, and its time line, which a failover increases. */
type Position = [position: string, database: string, timeline: string]

/**
 * With synchronous commits, a transaction is visible after it was flushed. Other commits are visible when they are inserted into the log.
 */
const positionQuery = {
  name: 'standby_position',
  text: `SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END::text,
    system_identifier::text || '/' || current_database(),
    ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int::text FROM pg_control_system()`,
}

/**
 * The log positions of two time lines cannot be compared. A standby that follows a failover shows its new time line at once to a role with
 * `pg_read_all_stats`, and to others after its next restart point.
 */
const standbyTimeline = `greatest((SELECT timeline_id FROM pg_control_checkpoint()),
      (SELECT min_recovery_end_timeline FROM pg_control_recovery()), (SELECT max(received_tli) FROM pg_stat_wal_receiver))`

const stateQuery = {
  name: 'standby_state',
  text: `SELECT CASE WHEN NOT pg_is_in_recovery() OR system_identifier::text || '/' || current_database() <> $2 THEN 'other'
      WHEN ${standbyTimeline} <> $3::int THEN 'left behind'
      WHEN pg_last_wal_replay_lsn() >= $1::pg_lsn THEN 'current' ELSE 'late' END,
    coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::text FROM pg_control_system()`,
}

interface State {
  state: 'current' | 'late' | 'other' | 'left behind'
  /** The age of the last transaction that was replayed. */
  replayedSecondsAgo: number
}

export interface Standby {
  /** Returns a client whose reads see everything that was committed before this call, at the standby or at the primary. */
  reader(): Promise<Queryable>
  measure(): Promise<StandbyStatus>
  pool: ConnectionPool
}

interface StandbyOptions {
  url: string
  primary: Queryable
  /** Called when reads go to the primary because of the standby. */
  warn(reason: string): void
}

/** Opens a pool for a standby. While the standby is late or does not answer, reads go to the primary. */
export function openStandby({ url, primary, warn }: StandbyOptions): Standby {
  const pool = openPool(url, { readOnly: true, acceptsStandby: true, connectTimeoutMs: answerWithinMs })
  const gate = createGate(pool, warn)
  return {
    pool,
    async reader() {
      if (gate.isPaused()) return primary
      const position = await positionOf(primary).catch((error: unknown) => gate.pause(reasonOf(error)))
      return position ? clientAt(position, gate, primary) : primary
    },
    async measure() {
      const late = sleep(answerWithinMs, undefined, { ref: false })
      const measured = measureLag(pool, await positionOf(primary)).catch(() => undefined)
      return (await Promise.race([measured, late])) ?? noAnswer
    },
  }
}

/** Gives out connections to a standby that is current. */
interface Gate {
  isPaused(): boolean
  /** Sends reads to the primary for a while. */
  pause(reason: string): undefined
  /** Returns a connection to a standby that has replayed the position. Returns undefined if the primary must be used. */
  connect(position: Position): Promise<PoolClient | undefined>
}

function createGate(pool: ConnectionPool, warn: (reason: string) => void): Gate {
  let pausedUntil = 0
  const gate: Gate = {
    isPaused: () => performance.now() < pausedUntil,
    pause(reason) {
      pausedUntil = performance.now() + pauseMs
      warn(reason)
      return undefined
    },
    async connect(position) {
      if (gate.isPaused()) return undefined
      const connecting = connectWhenCurrent(pool, position)
      const late = sleep(answerWithinMs, 'the standby does not answer', { ref: false })
      const clientOrReason = await Promise.race([connecting, late]).catch(reasonOf)
      if (typeof clientOrReason !== 'string') return clientOrReason
      // A connection that arrives too late is not used.
      connecting.then((client) => typeof client !== 'string' && client.release()).catch(() => undefined)
      gate.pause(clientOrReason)
      return undefined
    },
  }
  return gate
}

/** Returns a client whose reads are at least as current as the position. */
function clientAt(position: Position, gate: Gate, primary: Queryable): Queryable {
  async function readAt<Result>(
    atStandby: (client: PoolClient) => Promise<Result>,
    atPrimary: () => Promise<Result>,
  ): Promise<Result> {
    const client = await gate.connect(position)
    if (!client) return atPrimary()
    try {
      const result = await atStandby(client)
      client.release()
      return result
    } catch (error) {
      const failure = translateError(error)
      client.release(failure instanceof DatabaseUnavailable)
      if (!(failure instanceof DatabaseUnavailable)) throw failure
      gate.pause(reasonOf(error))
      return atPrimary()
    }
  }

  const run = readsByTick((calls) =>
    readAt(
      (client) => new PipelinedExchange(client, calls).send(),
      () => Promise.all(calls.map((call) => primary.run(call))),
    ),
  )
  const query = (...args: Parameters<PoolClient['query']>) =>
    readAt(
      // Boundary: Drizzle calls the overload that returns a promise.
      (client) => Promise.resolve(client.query(...args)),
      () => Promise.resolve(primary.query(...args)),
    )
  return {
    run,
    queueWithNextMessage: async (call) => void (await run(call)),
    query: query as unknown as PoolClient['query'],
  }
}

const noAnswer: StandbyStatus = {
  lagSeconds: undefined,
  problem: 'The standby of DATABASE_READ_URL does not answer. All reads go to the primary',
}

async function measureLag(pool: ConnectionPool, position: Position): Promise<StandbyStatus> {
  const client = await pool.connect()
  try {
    const { state, replayedSecondsAgo } = await stateOf(client, position)
    const reason = unusable[state]
    if (reason !== undefined) return { lagSeconds: undefined, problem: reason }
    const lagSeconds = state === 'current' ? 0 : replayedSecondsAgo
    if (lagSeconds <= maxLagSeconds) return { lagSeconds, problem: undefined }
    const problem = `The standby of DATABASE_READ_URL is ${Math.round(lagSeconds)} s behind. Reads go to the primary`
    return { lagSeconds, problem }
  } finally {
    client.release()
  }
}

/** The states that waiting does not change. */
const unusable: Partial<Record<State['state'], string>> = {
  other: 'DATABASE_READ_URL names no standby of DATABASE_URL. All reads go to the primary',
  'left behind':
    'The standby of DATABASE_READ_URL has another time line than the primary, because it did not follow a failover. Make it follow the primary, or build it again. All reads go to the primary',
}

/** Returns a connection, or the reason why the standby cannot be used. */
async function connectWhenCurrent(pool: ConnectionPool, position: Position): Promise<PoolClient | string> {
  const client = await pool.connect()
  try {
    const deadline = performance.now() + catchUpMs
    for (;;) {
      const { state } = await stateOf(client, position)
      if (state === 'current') return client
      const reason = unusable[state] ?? (performance.now() >= deadline ? 'the standby is behind' : undefined)
      if (reason !== undefined) {
        client.release()
        return reason
      }
      await sleep(askAgainMs)
    }
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function positionOf(primary: Queryable): Promise<Position> {
  const [row] = await primary.run({ statement: positionQuery, values: [] })
  return [String(row?.[0]), String(row?.[1]), String(row?.[2])]
}

async function stateOf(client: PoolClient, position: Position): Promise<State> {
  const call: PreparedCall = { statement: stateQuery, values: position }
  const [[row] = []] = await new PipelinedExchange(client, [call]).send()
  // Boundary: the query returns no other states.
  return { state: row?.[0] as State['state'], replayedSecondsAgo: Number(row?.[1]) }
}

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { heartbeatSeconds } from '../../shared/jobs/heartbeat.ts'
import { Misconfigured } from '../../shared/process/dependency.ts'
import type { Database } from '../client.ts'
import { openQueueValues } from './open-values.ts'
import type { QueueValues } from './values.ts'

/** Three heartbeats renew the lease in this time. */
const leaseMs = heartbeatSeconds * 1_000
const retryMs = 500

/**
 * Returns the id of the running kernel. Containers of one machine have the same id and different host names. Other systems than Linux have
 * the host name.
 */
function readMachineId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return hostname()
  }
}

const machineId = readMachineId()

/** PostgreSQL serves any number of machines, which share the lease. */
export const sharedMachineLease = { kind: 'lease', id: 'machine', value: 'any', lastsMs: leaseMs } as const

/** Makes this machine the one that uses the queues of a SQLite database. Returns false while another machine is. */
export function renewMachineLease(db: Database, values: QueueValues): Promise<boolean> {
  return values.claim('lease', 'machine', db.postgres ? sharedMachineLease.value : machineId, leaseMs)
}

/** Returns whether signing or worker processes use the queues in the database, or did so within the last six seconds. */
export async function areQueuesInUse(db: Database): Promise<boolean> {
  return (await openQueueValues(db).get('lease', 'machine')) !== undefined
}

/**
 * Throws Misconfigured if processes of another machine use the SQLite database. Waits for the end of their lease before, because they can have
 * been stopped just now. An unavailable database is reported by the check of the database.
 */
export async function requireOneMachine(db: Database, values: QueueValues): Promise<void> {
  const until = performance.now() + leaseMs + retryMs
  while (!(await renewMachineLease(db, values).catch(() => true))) {
    if (performance.now() > until) throw new Misconfigured(otherMachine)
    await sleep(retryMs)
  }
}

const otherMachine =
  'Processes of another machine use this SQLite database. SQLite serves one machine, and a file on a network file system can be damaged. Stop the other processes, or use PostgreSQL.'

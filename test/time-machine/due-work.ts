import { setTimeout as sleep } from 'node:timers/promises'
import { ne } from 'drizzle-orm'
import { findDueCrls } from '../../db/repos/certificates/crls.ts'
import { findEndingSigners } from '../../db/repos/certificates/signers.ts'
import { findDueTrustedLists } from '../../db/repos/ecosystems/automatic-trusted-lists.ts'
import { findDueCheckpoints } from '../../db/repos/operations/audit/audit-checkpoints.ts'
import { findChangedLists, findListsToRenew } from '../../db/repos/status/publishing.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { type Clock, hourMs, plusMs } from '../../shared/clock.ts'
import { renewalDeadline, signerKinds } from '../../shared/domain/certificates/certificates.ts'
import type { Processes } from '../harness/processes.ts'
import { findOldKeys } from './check-operated.ts'
import type { SimulatedTenant } from './tenants.ts'

export interface DueWorkOptions {
  processes: Pick<Processes, 'db' | 'bus'>
  tenants: readonly SimulatedTenant[]
  clock: Clock
}

const pollMs = 50
/** Retries after a killed process take a minute. */
const maxWaitMs = 150_000

/** Waits until the searches of the processes find nothing that is due. The search for checkpoints runs every minute, here at once. */
export async function waitForDueWork(options: DueWorkOptions): Promise<void> {
  const endsAt = performance.now() + maxWaitMs
  let due = await findDueWork(options)
  while (due !== undefined && performance.now() < endsAt) {
    await options.processes.bus.send('queueDueCheckpoints', {}, { id: 'time-machine' })
    await sleep(pollMs)
    due = await findDueWork(options)
  }
  if (due !== undefined) throw new Error(`The work is still due after ${maxWaitMs / 1000} s: ${due}`)
}

/** Returns what is due first. */
async function findDueWork({ processes, tenants, clock }: DueWorkOptions): Promise<string | undefined> {
  const { read } = processes.db
  const at = clock.now()
  const results = await Promise.all([
    // The second part of an erasure runs after two minutes.
    read.select({ job: outbox.job }).from(outbox).where(ne(outbox.job, 'finishErasure')).limit(1),
    findChangedLists(read),
    findListsToRenew(read, at, 1),
    findDueCrls(read, at, 1),
    findDueTrustedLists(read, at, 1),
    findDueCheckpoints(read, plusMs(at, -hourMs), 1),
    ...signerKinds.map((kind) => findEndingSigners(read, { kind, at, until: renewalDeadline(kind, at), limit: 1 })),
    ...tenants.map((tenant) => findOldKeys(tenant, at)),
  ])
  const first = results.flat()[0]
  return first && JSON.stringify(first)
}

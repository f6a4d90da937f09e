import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, dayMs, hourMs } from '../../shared/clock.ts'
import { createKeys } from '../../shared/jobs/keys.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { randomFrom } from '../harness/random-from.ts'
import { type ActionDeps, act, type History, replaceEndingAuthorities } from './actions.ts'
import { type NotedAudits, requireAudits } from './check-audit.ts'
import { waitForDueWork } from './due-work.ts'
import { noFingerprints } from './fingerprints.ts'
import { createInvariants } from './invariants.ts'
import { requireReceipts } from './people.ts'
import { createTenants, type SimulatedTenant } from './tenants.ts'

export interface ProcessesRunOptions {
  seed: number
  days: number
  /** The folder of the file that moves the clock. */
  dir: string
}

export interface ProcessesRunResult {
  documents: number
  credentials: number
  kills: number
}

const stepHours = 24
/** Authorities have successors and end within 90 days. */
const endingDays = { iaca: 75, 'ecosystem-ca': 70 }
/** A tenant can have three authorities of a kind, so they are replaced when they have this many days left. */
const replacedDays = 45
/** The share of steps in which a process is killed. */
const killedShare = 0.3
/** A process is killed within this time after the clock has moved. Its due work then runs. */
const killedWithinMs = 1_500
const names: (ProcessName | 'redis')[] = ['web', 'signing', 'worker', 'redis']

/** Runs the service as its own processes, moves their clock by a day in each step, and kills some of them. Throws a violation. */
export async function runProcesses({ seed, days, dir }: ProcessesRunOptions): Promise<ProcessesRunResult> {
  const clock = createMovedClock(join(dir, 'moved-clock'))
  await using processes = await startProcesses({ MOVED_CLOCK: clock.file, NODE_OPTIONS: `--import=${preload}` })
  const deps = { ...processes, clock, keys: createKeys(processes.bus, 20_000) }
  const setting = { deps: () => deps, origin: processes.origin, clock }
  const tenants = await createTenants(setting, endingDays)
  const history: History = { held: [], erased: [], revoked: new Map(), people: 0 }
  const random = randomFrom(seed)
  const actionDeps: ActionDeps = { ...setting, random, history, tenants, ensureRunning: async () => undefined }
  const invariants = createInvariants({ tenants, history, fingerprints: noFingerprints })
  const notedAudits: NotedAudits = new Map()
  const steps = (days * 24) / stepHours
  const stepsPer = (ms: number) => ms / (stepHours * hourMs)
  let kills = 0
  for (let step = 0; step < steps; step++) {
    if (step > 0) await clock.move(stepHours * hourMs)
    if (random() < killedShare) {
      kills++
      await killOne(processes, random)
    }
    for (const tenant of tenants) await waitForToken(tenant)
    await act(actionDeps, stepHours)
    if (step % stepsPer(7 * dayMs) === 0)
      for (const tenant of tenants) await replaceEndingAuthorities(actionDeps, tenant, (_, left) => left < replacedDays)
    await waitForDueWork({ processes, tenants, clock })
    if (step % stepsPer(28 * dayMs) === 0) await requireAudits(processes.db.read, tenants, notedAudits)
    await invariants.check(clock.now(), {
      isWhole: true,
      isThorough: step === steps - 1 || step % stepsPer(28 * dayMs) === 0,
      isVerifyingCredentials: true,
      isLate: false,
    })
  }
  await requireReceipts(tenants, history)
  await requireAudits(processes.db.read, tenants, notedAudits)
  const documents = [...invariants.counts.values()].reduce((sum, count) => sum + count, 0)
  return { documents, credentials: history.held.length, kills }
}

async function killOne(processes: Processes, random: () => number): Promise<void> {
  const name = names[Math.floor(random() * names.length)] ?? 'web'
  await sleep(random() * killedWithinMs)
  await processes.kill(name)
  await processes.start(name)
}

/** Processes connect again within this time after a restart of Redis. */
const connectedWithinMs = 60_000
const retryMs = 200

/** Waits until the web and signing processes answer. The last token has expired, because a step is longer than its validity. */
async function waitForToken({ operator }: SimulatedTenant): Promise<void> {
  for (const endsAt = performance.now() + connectedWithinMs; ; await sleep(retryMs)) {
    try {
      await operator()
      return
    } catch (error) {
      if (performance.now() > endsAt) throw error
    }
  }
}

const preload = new URL('moved-clock.ts', import.meta.url).href

interface MovedClock extends Clock {
  /** Has the milliseconds by which the clock is ahead. */
  file: string
  /** Waits until all processes have the new time. */
  move(ms: number): Promise<void>
}

/** Longer than the processes use a time that they have read. */
const readWithinMs = 20

function createMovedClock(file: string): MovedClock {
  let aheadMs = 0
  const write = () => {
    // The processes read a whole file at any time.
    writeFileSync(`${file}.new`, String(aheadMs))
    renameSync(`${file}.new`, file)
  }
  write()
  return {
    file,
    now: () => new Date(Date.now() + aheadMs),
    async move(ms) {
      aheadMs += ms
      write()
      await sleep(readWithinMs)
    },
  }
}

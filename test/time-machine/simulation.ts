import { hourMs } from '../../shared/clock.ts'
import { definitionOf, isJobName, type JobName, jobs } from '../../shared/jobs/registry.ts'
import { createLog } from '../../shared/log/log.ts'
import { createRecentLoad } from '../../workers/jobs/recent-load.ts'
import { moveOutboxRows } from '../../workers/jobs/relay.ts'
import type { SimulatedClock } from './clock.ts'
import { createJobRunner } from './job-runner.ts'
import { createMemoryBus } from './memory-bus.ts'
import { createMemoryQueue } from './memory-queue.ts'
import { Violation } from './outside.ts'
import { type Installation, type Opened, openService } from './service.ts'
import type { StatementFaults } from './statement-faults.ts'

/** The service with its queue, its faults and its clock. */
export interface Simulation {
  service(): Opened
  /** Runs the due work until nothing is left, and starts the process again if a fault ends it. */
  settle(step: number): Promise<void>
  /** Starts the process again if a fault has ended it. */
  ensureRunning(): Promise<void>
  /** Drops the memory of the process and opens the database again. */
  restart(): Promise<void>
  /** Statements of requests in `work` can fail. */
  watch<Result>(work: () => Promise<Result>): Promise<Result>
  setAway(isAway: boolean): void
  /** Lets the next call of `settle` run all scheduled jobs, also those that do not run in each step. */
  runAllJobs(): void
  loseJobs(): void
  /** The next job that is queued by watched work is lost, or queued twice. */
  faultNextJob(fault: 'lost' | 'duplicated'): void
  /** Returns the outcomes of jobs since the last call. */
  takeOutcomes(): string[]
  close(): Promise<void>
}

export interface SimulationOptions {
  installation: Installation
  clock: SimulatedClock
  faults: StatementFaults
  /** Returns whether a job is never run, to show that the checks notice it. */
  isSwitchedOff(name: JobName, payload: unknown): boolean
}

/**
 * The number of steps between two runs of jobs that would not be noticed if they ran more often. The others run in each step. All run again
 * after a fault.
 */
const runsEverySteps: Partial<Record<JobName, number>> = {
  ...{ queueDueCertificates: 3, rotateDueKeys: 6, warnOfEndingLists: 12, purgeExpired: 24, rewrapKeys: 12 },
  ...{ queueDueIntegrations: 12, queueDueDeliveries: 12, queueDueMessages: 12 },
  ...{ recoverDeliveries: 12, recoverIssuances: 12, cancelDids: 12, nameConfigurations: 24, expireApprovals: 24 },
}
const maxRounds = 25

export function createSimulation({ installation, clock, faults, isSwitchedOff }: SimulationOptions): Simulation {
  const log = createLog({ process: 'time-machine', level: process.env.TEST_LOG_LEVEL ?? 'silent', pretty: false })
  const queue = createMemoryQueue(clock)
  let outcomes = new Map<string, number>()
  let isAway = false
  let runsAllJobs = false
  let nextFault: 'lost' | 'duplicated' | undefined
  /** Faults of jobs, and jobs that did not end with success. */
  let unfinished = 0

  const bus = createMemoryBus({
    ...{ clock, queue },
    isAway: () => isAway || faults.isDead(),
    copiesOf(name, payload) {
      if (isSwitchedOff(name, payload)) return 0
      // The requests of the checks are not repeated.
      const fault = faults.isWatching() ? nextFault : undefined
      if (fault) {
        nextFault = undefined
        unfinished++
        note(`${name} ${fault}`)
      }
      return fault === 'lost' ? 0 : fault === 'duplicated' ? 2 : 1
    },
    run: (name, payload) => runner.call(name, payload),
  })
  let opened = openService(installation, { bus, clock, log })
  let loadOf = createRecentLoad()
  const runner = createJobRunner({
    ...{ clock, queue, faults },
    handlerOf: (name) => opened.handlerOf(name),
    onJob(name, outcome, error) {
      if (outcome !== 'done') unfinished++
      if (outcome !== 'done' || !definitionOf(name).everyMs) note(outcome === 'done' ? name : `${name} ${outcome}`)
      if (process.env.TIME_MACHINE_ERRORS && error) console.error(name, error)
    },
  })

  function note(text: string): void {
    outcomes.set(text, (outcomes.get(text) ?? 0) + 1)
  }

  /** A relay that fails runs again in the next round. */
  function relayFailed(): void {
    unfinished++
    note('relay failed')
  }

  async function restart(): Promise<void> {
    await opened.close()
    faults.revive()
    opened = openService(installation, { bus, clock, log })
    loadOf = createRecentLoad()
  }

  async function ensureRunning(): Promise<void> {
    if (!faults.isDead()) return
    note('process ended')
    await restart()
  }

  /** Runs the scheduled jobs and what they queue. */
  async function runRound(step: number, isFirst: boolean): Promise<void> {
    for (const name of Object.keys(jobs)) {
      if (!isJobName(name) || !definitionOf(name).everyMs || isSwitchedOff(name, {})) continue
      if (runsAllJobs || !isFirst || step % (runsEverySteps[name] ?? 1) === 0)
        queue.add({ id: `repeat-${name}`, name, payload: {}, isScheduled: true })
    }
    await runner.drain()
    while ((await moveOutboxRows(opened.deps, loadOf)) > 0) await runner.drain()
  }

  return {
    service: () => opened,
    restart,
    ensureRunning,
    watch: faults.watch,
    async settle(step) {
      if (isAway) return
      await opened.flush()
      for (let round = 0; round < maxRounds; round++) {
        const before = unfinished
        await faults.watch(() => runRound(step, round === 0).catch(relayFailed))
        await ensureRunning()
        if (unfinished > before) continue
        runsAllJobs = false
        return
      }
      throw new Violation(`the due work did not end in ${maxRounds} rounds`)
    },
    setAway(away) {
      isAway = away
    },
    runAllJobs() {
      runsAllJobs = true
    },
    loseJobs: queue.clear,
    faultNextJob(fault) {
      nextFault = fault
    },
    takeOutcomes() {
      const taken = [...outcomes].map(([text, count]) => (count > 1 ? `${text} ×${count}` : text))
      outcomes = new Map()
      return taken
    },
    close: () => opened.close(),
  }
}

export const stepMs = hourMs

import { dayMs, minuteMs } from '../../shared/clock.ts'
import type { StatementFault } from './statement-faults.ts'

/** The faults of one step. */
export interface StepFaults {
  statement?: StatementFault
  /** The next job that is queued is lost, or queued twice. */
  job?: 'lost' | 'duplicated'
  /** The memory of the process is dropped and the database opened again. */
  restarts?: true
  /** Redis is away for this number of steps. */
  busAwaySteps?: number
  /** Redis loses all jobs. */
  losesJobs?: true
  clockShiftMs?: number
}

export type FaultPlan = ReadonlyMap<number, StepFaults>

/** The first day has no faults, because it sets up the tenants. */
const firstStep = 24

/**
 * Draws the faults of all steps, at least one of each kind. Over three years, the weeks of the clock add up to 84 days: signers that are valid for 1186 days are renewed
 * 60 days before their end, also within the simulation.
 */
export function drawPlan(random: () => number, steps: number): FaultPlan {
  const plan = new Map<number, StepFaults>()
  const below = (limit: number) => Math.floor(random() * limit)
  const add = (step: number, faults: StepFaults) => plan.set(step, { ...plan.get(step), ...faults })
  const chosen = (perYear: number, faults: () => StepFaults) => {
    const count = Math.max(1, Math.round((perYear * steps) / (365 * 24)))
    for (let made = 0; made < count; made++) add(firstStep + below(Math.max(1, steps - firstStep)), faults())
  }
  chosen(450, () => ({
    statement: {
      nth: 1 + below(400),
      when: random() < 0.5 ? 'before' : 'after',
      ends: random() < 0.15 ? 'process' : 'statement',
    },
  }))
  chosen(250, () => ({ job: random() < 0.5 ? 'lost' : 'duplicated' }))
  chosen(40, () => ({ restarts: true }))
  chosen(4, () => ({ losesJobs: true }))
  chosen(3, () => ({ busAwaySteps: 24 }))
  chosen(8, () => ({ clockShiftMs: -minuteMs }))
  // Evenly, so that each seed has the same sum.
  const everySteps = Math.min(Math.floor((365 * 24) / 4), Math.max(1, steps - firstStep))
  for (let from = firstStep; from + everySteps <= steps; from += everySteps)
    add(from + below(everySteps), { clockShiftMs: 7 * dayMs })
  return plan
}

export function describeFaults({ statement, job, restarts, busAwaySteps, losesJobs, clockShiftMs }: StepFaults) {
  return [
    statement && `statement ${statement.nth} fails ${statement.when} it runs and ends the ${statement.ends}`,
    job && `a job is ${job}`,
    restarts && 'restart',
    busAwaySteps && `Redis is away for ${busAwaySteps} hours`,
    losesJobs && 'Redis loses its jobs',
    clockShiftMs && `the clock is set by ${clockShiftMs / minuteMs} minutes`,
  ].filter((each) => each !== undefined)
}

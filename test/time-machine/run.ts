import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '../../shared/clock.ts'
import { publicationKinds } from '../../shared/domain/operations/publications.ts'
import { randomFrom } from '../harness/random-from.ts'
import { type ActionDeps, act, type History, replaceEndingAuthorities } from './actions.ts'
import { type NotedAudits, requireAudits } from './check-audit.ts'
import { createSimulatedClock } from './clock.ts'
import { createFingerprints } from './fingerprints.ts'
import { createInvariants, lateForMs } from './invariants.ts'
import { openTestToken, requireKeysInToken } from './keys-in-token.ts'
import { must } from './outside.ts'
import { requireErased, requireReceipts } from './people.ts'
import { describeFaults, drawPlan } from './plan.ts'
import { createSwitch } from './renewals.ts'
import { install } from './service.ts'
import { createSimulation, stepMs } from './simulation.ts'
import { createStatementFaults } from './statement-faults.ts'
import { createTenants } from './tenants.ts'

export interface RunOptions {
  seed: number
  days: number
  /** The kind whose renewal is switched off. */
  without?: string | undefined
  /** With `pkcs11`, all keys are in a token of SoftHSM2. */
  keys?: string | undefined
}

export type RunResult =
  | { documents: number; credentials: number }
  | { failure: string; history: string[]; days: number }

const start = new Date('2027-01-01T00:00:00.000Z')
const keptSteps = 50
/** Authorities end twice within three years. */
const endingDays = { iaca: 500, 'ecosystem-ca': 420 }
/** Documents must last for an outage of a day. */
const outageSteps = 24
/** The first publications run before a renewal is switched off. */
const switchedOffAfterMs = 3 * dayMs

/** Simulates the service hour by hour. Returns the first violation with the last steps. */
export async function runSeed({ seed, days, without, keys }: RunOptions): Promise<RunResult> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-time-machine-'))
  const faults = createStatementFaults()
  const clock = createSimulatedClock(start)
  const random = randomFrom(seed)
  const steps = days * 24
  const plan = drawPlan(random, steps)
  await using token = keys === 'pkcs11' ? await openTestToken() : undefined
  const installation = await install(dir, token?.provider)
  const isRenewal = createSwitch(installation.file, without)
  const isSwitchedOff: typeof isRenewal = (name, payload) =>
    clock.now().getTime() - start.getTime() > switchedOffAfterMs && isRenewal(name, payload)
  const simulation = createSimulation({ installation, clock, faults, isSwitchedOff })
  const setting = { deps: () => simulation.service().deps, origin: installation.origin, clock }
  const lines: string[] = []
  try {
    const tenants = await createTenants(setting, endingDays)
    const history: History = { held: [], erased: [], revoked: new Map(), people: 0 }
    const { ensureRunning } = simulation
    const deps: ActionDeps = { ...setting, random, history, tenants, ensureRunning, without }
    const fingerprints = createFingerprints(installation.file)
    const notedAudits: NotedAudits = new Map()
    const invariants = createInvariants({ tenants, history, fingerprints })
    let awayUntil = 0
    let outage = { since: 0, hasJumped: false }
    let lateUntil = 0
    for (let step = 0; step < steps; step++) {
      clock.pass(stepMs)
      const ofStep = plan.get(step) ?? {}
      if (ofStep.busAwaySteps) awayUntil = step + ofStep.busAwaySteps
      const isAway = step < awayUntil
      simulation.setAway(isAway)
      if (!isAway) outage = { since: step + 1, hasJumped: false }
      else if ((ofStep.clockShiftMs ?? 0) > 0) outage.hasJumped = true
      if (ofStep.clockShiftMs) clock.shift(ofStep.clockShiftMs)
      if (isAway || ofStep.clockShiftMs) simulation.runAllJobs()
      const at = clock.now()
      const line = { at, faults: describeFaults(ofStep), actions: [] as string[] }
      lines.push('')
      const occurred = faults.occurred()
      if (isAway || ofStep.clockShiftMs || ofStep.losesJobs || ofStep.job) lateUntil = at.getTime() + lateForMs
      const report = () => {
        const parts = [line.actions, line.faults, simulation.takeOutcomes()].map((each) => each.join(', '))
        lines[lines.length - 1] = `${step} ${at.toISOString().slice(0, 16)}: ${parts.filter(Boolean).join(' | ')}`
        if (lines.length > keptSteps) lines.shift()
      }
      try {
        if (ofStep.losesJobs) simulation.loseJobs()
        if (ofStep.restarts) await simulation.restart()
        if (ofStep.job) simulation.faultNextJob(ofStep.job)
        if (ofStep.statement) faults.arm(ofStep.statement)
        if (isAway) {
          if (!outage.hasJumped && step - outage.since < outageSteps) invariants.checkEnds(at)
        } else {
          // Outside of the watched work, because a request for a token is no action of the plan.
          for (const tenant of tenants) await tenant.operator()
          line.actions = await simulation.watch(() => act(deps))
          if (step % (7 * 24) === 10)
            for (const tenant of tenants) await replaceEndingAuthorities(deps, tenant, (kind) => kind !== without)
          await simulation.settle(step)
          if (faults.occurred() > occurred) lateUntil = at.getTime() + lateForMs
          await check(step, at)
        }
      } finally {
        report()
      }
    }

    function checkAudits(): Promise<void> {
      return requireAudits(simulation.service().deps.db.read, tenants, notedAudits)
    }

    async function check(step: number, at: Date): Promise<void> {
      await invariants.check(at, {
        isWhole: step % (7 * 24) === 5,
        isThorough: step % (28 * 24) === 77,
        isVerifyingCredentials: step % (7 * 24) === 50,
        isLate: at.getTime() < lateUntil,
      })
      if (step % (84 * 24) === 150) await checkAudits()
      if (step % (28 * 24) !== 100) return
      requireErased(installation.file, history.erased)
      await requireReceipts(tenants, history)
    }

    await checkAudits()
    if (token) await requireKeysInToken(simulation.service().deps.db.read)
    for (const kind of publicationKinds) must((invariants.counts.get(kind) ?? 0) > 0, `no ${kind} was fetched`)
    fingerprints.close()
    return { documents: [...invariants.counts.values()].reduce((a, b) => a + b, 0), credentials: history.held.length }
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { failure, history: lines, days: Math.floor((clock.now().getTime() - start.getTime()) / dayMs) }
  } finally {
    faults.revive()
    await simulation.close().catch(() => undefined)
    await installation.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

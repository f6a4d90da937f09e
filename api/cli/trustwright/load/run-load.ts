import { setMaxListeners } from 'node:events'
import type { CommandCall } from '../command.ts'
import { countOf } from '../count-of.ts'
import { textOfError } from '../text-of-error.ts'
import { createMeasurements, type Measurements } from './measurements.ts'
import { reportOf, textOfReport } from './report.ts'
import { isOnThisMachine } from './same-machine.ts'
import { createLoadConfiguration, createOwnTenant, type LoadTarget, useTenant } from './target.ts'
import { runWallets } from './wallets.ts'

const maxRampMs = 10_000
const progressEveryMs = 5_000

export interface LoadTest {
  wallets: number
  durationMs: number
  /** The test ends when this many credentials are collected. */
  credentials: number
  /** A tenant that exists. Undefined: a tenant of the test's own. */
  tenantId: string | undefined
  /** Whether a tenant that exists can have an https address. */
  allowProduction: boolean
  deferred: boolean
  revocable: boolean
}

/** Runs a load test until its end or Ctrl-C, and removes what it made. Returns the exit code. */
export async function runLoad(call: CommandCall, test: LoadTest): Promise<number> {
  const { stderr } = call.terminal
  const stop = new AbortController()
  // Each wallet that pauses listens to it.
  setMaxListeners(0, stop.signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const platform = await call.client()
  const { tenantId } = test
  const target = await (tenantId === undefined ? createOwnTenant(platform, test) : useTenant(platform, tenantId, test))
  const removal = `${target.removal}${call.profile === undefined ? '' : ` --profile ${call.profile}`}`
  stderr.write(`The tenant of the test is ${target.baseUrl}. If this program is killed, run: ${removal}\n`)
  let configurationId: string | undefined
  let code = 1
  try {
    await warnOfSameMachine(call, target)
    configurationId = await createLoadConfiguration(target, test)
    code = await measure(call, { ...test, target, configurationId, stop })
  } finally {
    try {
      await target.remove(configurationId)
      stderr.write('What the test made is deleted.\n')
    } catch (error) {
      stderr.write(`What the test made is not deleted: ${textOfError(error)}. Run: ${removal}\n`)
      code = 1
    }
  }
  return code
}

async function warnOfSameMachine({ terminal }: CommandCall, { baseUrl }: LoadTarget): Promise<void> {
  if (!(await isOnThisMachine(new URL(baseUrl)))) return
  terminal.stderr.write(
    'Warning: the wallets run on the machine of the service, and slow it down. Use another machine.\n',
  )
}

interface RunningTest extends LoadTest {
  target: LoadTarget
  configurationId: string
  stop: AbortController
}

async function measure(call: CommandCall, test: RunningTest): Promise<number> {
  const { wallets, durationMs, stop } = test
  const measurements = createMeasurements()
  const startedAt = performance.now()
  const busySince = performance.eventLoopUtilization()
  const timer = setTimeout(() => stop.abort(), durationMs)
  const progress = setInterval(showProgress(call, measurements, wallets), progressEveryMs)
  try {
    const rampMs = Math.min(maxRampMs, durationMs / 10)
    await runWallets({ ...test, rampMs, measurements, stop: stop.signal })
  } finally {
    clearTimeout(timer)
    clearInterval(progress)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const { utilization: busy } = performance.eventLoopUtilization(busySince)
  const report = reportOf(measurements, { wallets, seconds, busy })
  call.print(report, textOfReport(report))
  return report.errors.length === 0 ? 0 : 1
}

/** Returns a function that prints the rate since its last call. */
function showProgress({ terminal }: CommandCall, measurements: Measurements, wallets: number): () => void {
  const startedAt = performance.now()
  let [previousAt, previous] = [startedAt, 0]
  return () => {
    const [now, credentials] = [performance.now(), measurements.credentials()]
    const seconds = String(Math.round((now - startedAt) / 1000)).padStart(5)
    const rate = (((credentials - previous) * 1000) / (now - previousAt)).toFixed(1)
    const { p95Ms } = measurements.totalTimes()
    const parts = [
      ...[`${seconds} s`, countOf(wallets, 'wallet'), countOf(credentials, 'credential'), `${rate} per second`],
      ...[`p95 ${Math.round(p95Ms)} ms`, countOf(measurements.errorCount(), 'error')],
    ]
    terminal.stderr.write(`${parts.join('  ')}\n`)
    ;[previousAt, previous] = [now, credentials]
  }
}

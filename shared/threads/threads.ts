import { Problem } from '../errors/errors.ts'
import { createFairQueue, type Entry } from '../flow/fair-queue.ts'
import { createPool, type Pool, type PoolRules } from './pool.ts'
import { type InputLimits, runInput } from './run-input.ts'

export interface Threads<Input, Output> {
  /**
   * Returns the output of a thread for the input. Returns undefined if the input exceeds its CPU time or memory. Rejects with
   * `service_unavailable` at the deadline, if too many inputs wait, and if the machine is too busy.
   */
  run(input: Input, caller: Caller): Promise<Output | undefined>
  /** Does the same with a large input, which is read when it starts. Returns undefined, too, if there is none. */
  runRead(read: ReadInput<Input>, caller: Caller): Promise<Output | undefined>
}

interface Caller {
  tenantId: string
  deadlineAt: number
}

type ReadInput<Input> = () => Promise<Input | undefined>

interface ThreadRules extends InputLimits, PoolRules {
  /** Whether a thread is reused for the next input. Otherwise it ends after one input, which frees its memory. */
  isKept: boolean
  /** Whether a thread starts before it is needed, from the first input on. Inputs after the first then do not wait for a start. */
  hasSpare?: boolean
  /** Maximum inputs of all tenants that wait. They are in memory. */
  maxWaiting: number
}

interface Waiting extends Entry {
  start(): Promise<void>
}

const maxRunning = 2
/** One tenant has at most one running input, so that it waits for its own inputs. */
const limits = { maxItems: 1, maxWeight: 1, maxWaitingPerTenant: 20 }

/** Runs long computations on a few threads beside the requests of this process. Tenants are served round robin. */
export function createThreads<Input, Output>(rules: ThreadRules): Threads<Input, Output> {
  const queue = createFairQueue<Waiting>({ ...limits, maxWaiting: rules.maxWaiting })
  const pool = createPool({ ...rules, maxPrepared: rules.hasSpare ? maxRunning : 0 })
  let running = 0

  function startNext(): void {
    while (running < maxRunning) {
      const batch = queue.take()
      const [next] = batch
      if (!next) return
      running++
      void next.start().finally(() => {
        running--
        queue.release(batch)
        startNext()
      })
    }
  }

  function runRead(read: ReadInput<Input>, { tenantId, deadlineAt }: Caller): Promise<Output | undefined> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: string) => {
        queue.remove(entry)
        reject(unavailable(reason))
      }
      const timer = setTimeout(refuse, Math.max(0, deadlineAt - performance.now()), 'No thread answered in time')
      const start = () =>
        runOnThread<Input, Output>(pool, rules, read)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      const entry: Waiting = { tenantId, weight: 1, start }
      if (queue.add(entry)) return startNext()
      clearTimeout(timer)
      refuse('Too many inputs wait for a thread')
    })
  }

  return { run: (input, caller) => runRead(async () => input, caller), runRead }
}

async function runOnThread<Input, Output>(
  pool: Pool,
  rules: ThreadRules,
  read: ReadInput<Input>,
): Promise<Output | undefined> {
  const input = await read()
  if (input === undefined) return undefined
  const thread = pool.take()
  let isReusable = false
  try {
    const outcome = await runInput<Input, Output>(thread, input, rules)
    isReusable = rules.isKept && 'output' in outcome
    if ('output' in outcome) return outcome.output
    if (outcome.exceeded !== 'time') return undefined
    throw unavailable('The thread got too little CPU time')
  } finally {
    if (isReusable) pool.keep(thread)
    else await pool.end(thread)
  }
}

function unavailable(reason: string): Problem {
  return new Problem('service_unavailable', { retryAfterSeconds: 5, reason })
}

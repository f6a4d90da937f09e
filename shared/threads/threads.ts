import { Problem } from '../errors.ts'
import { createFairQueue, type Entry } from '../flow/fair-queue.ts'
import { createPool, type PoolRules } from './pool.ts'
import { type InputLimits, runInput } from './run-input.ts'

export interface Threads<Input, Output> {
  /**
   * Answers what a thread makes of the input; undefined if that takes more than the CPU time or memory that one input has.
   * Rejects with `service_unavailable` at the deadline, if too many wait, and if the machine is too busy.
   */
  run(input: Input, whose: Whose): Promise<Output | undefined>
  /** Does the same with a large input, which is read when its turn has come. Answers undefined, too, if there is none. */
  runRead(read: () => Promise<Input | undefined>, whose: Whose): Promise<Output | undefined>
  /** Starts a thread now, and from now on before one is needed: requests do not wait for its start. */
  prepare(): void
}

interface Whose {
  tenantId: string
  deadlineAt: number
}

interface ThreadRules extends InputLimits, PoolRules {
  /** Whether a thread takes one input after the other. If not, it ends with the first, and its memory with it. */
  isKept: boolean
  /** How many inputs of all tenants may wait, in memory. */
  line: number
}

interface Waiting extends Entry {
  start(): Promise<void>
}

/** At once, of all tenants; a tenant has one, so that it waits for itself. */
const atOnce = 2
const limits = { items: 1, weight: 1, tenantLine: 20 }

/** Does what takes long, or can be made to, beside the requests of this process: on a few threads, the tenants in turn. */
export function createThreads<Input, Output>(rules: ThreadRules): Threads<Input, Output> {
  const turns = createFairQueue<Waiting>({ ...limits, line: rules.line })
  const pool = createPool(rules)
  let running = 0

  function startNext(): void {
    while (running < atOnce) {
      const batch = turns.take()
      const [next] = batch
      if (!next) return
      running++
      void next.start().finally(() => {
        running--
        turns.release(batch)
        startNext()
      })
    }
  }

  async function work(read: () => Promise<Input | undefined>): Promise<Output | undefined> {
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

  function runRead(
    read: () => Promise<Input | undefined>,
    { tenantId, deadlineAt }: Whose,
  ): Promise<Output | undefined> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: string) => {
        turns.remove(entry)
        reject(unavailable(reason))
      }
      const timer = setTimeout(refuse, Math.max(0, deadlineAt - performance.now()), 'No thread answered in time')
      const start = () =>
        work(read)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      const entry: Waiting = { tenantId, weight: 1, start }
      if (turns.add(entry)) return startNext()
      clearTimeout(timer)
      refuse('Too many inputs wait for a thread')
    })
  }

  return {
    run: (input, whose) => runRead(async () => input, whose),
    runRead,
    prepare: () => pool.prepare(atOnce),
  }
}

function unavailable(reason: string): Problem {
  return new Problem('service_unavailable', { retryAfterSeconds: 5, reason })
}

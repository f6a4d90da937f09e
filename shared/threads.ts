import { Worker } from 'node:worker_threads'
import { Problem } from './errors.ts'
import { createTurns, type Entry } from './jobs/turns.ts'

export interface Threads<Input, Output> {
  /**
   * What a thread makes of the input; undefined where that took too long or too much memory. At the deadline, and where too
   * many wait, `service_unavailable`.
   */
  run(input: Input, whose: Whose): Promise<Output | undefined>
  /** The same of an input that is large, and read when its turn has come: what waits takes no room. Undefined, too, where there is none. */
  runRead(read: () => Promise<Input | undefined>, whose: Whose): Promise<Output | undefined>
}

interface Whose {
  tenantId: string
  deadlineAt: number
}

interface ThreadRules {
  /** The module of a thread, which answers each message that it is sent with one. */
  file: URL
  /** Of one input, the start of a thread included. */
  withinMs: number
  /** Whether a thread takes one input after the other, or ends with the first, and its memory with it. */
  isKept: boolean
  /** A kept one that has nothing to do ends after so long, where this is given. */
  restMs?: number
  /** How many inputs of all tenants may wait, in memory. */
  line: number
}

interface Waiting extends Entry {
  start(): Promise<void>
}

/** At once, of all tenants; a tenant has one, so that it waits for itself. */
const atOnce = 2
const limits = { items: 1, weight: 1, tenantLine: 20 }
const resourceLimits = { maxOldGenerationSizeMb: 256 }

/** Does what takes long, or can be made to, beside the requests of this process: on a few threads, the tenants in turn. */
export function createThreads<Input, Output>(rules: ThreadRules): Threads<Input, Output> {
  const turns = createTurns<Waiting>({ ...limits, line: rules.line })
  const idle: { thread: Worker; end: NodeJS.Timeout | undefined }[] = []
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
    const thread = takeIdle() ?? newThread(rules.file)
    const answer = await ask<Input, Output>(thread, input, rules.withinMs)
    if (rules.isKept && answer !== undefined) rest(thread)
    else await thread.terminate()
    return answer
  }

  function takeIdle(): Worker | undefined {
    const { thread, end } = idle.pop() ?? {}
    clearTimeout(end)
    return thread
  }

  function rest(thread: Worker): void {
    const end = rules.restMs === undefined ? undefined : setTimeout(() => endIdle(thread), rules.restMs).unref()
    idle.push({ thread, end })
  }

  function endIdle(thread: Worker): void {
    idle.splice(
      idle.findIndex((each) => each.thread === thread),
      1,
    )
    void thread.terminate()
  }

  function runRead(
    read: () => Promise<Input | undefined>,
    { tenantId, deadlineAt }: Whose,
  ): Promise<Output | undefined> {
    return new Promise((resolve, reject) => {
      const late = () => {
        turns.remove(entry)
        reject(new Problem('service_unavailable', { retryAfterSeconds: 5 }))
      }
      const timer = setTimeout(late, Math.max(0, deadlineAt - performance.now()))
      const start = () =>
        work(read)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      const entry: Waiting = { tenantId, weight: 1, start }
      if (turns.add(entry)) startNext()
      else late()
    })
  }

  return { run: (input, whose) => runRead(async () => input, whose), runRead }
}

function newThread(file: URL): Worker {
  const thread = new Worker(file, { resourceLimits })
  // What goes wrong while nobody waits for it is nobody's.
  thread.on('error', () => {})
  thread.unref()
  return thread
}

function ask<Input, Output>(thread: Worker, input: Input, withinMs: number): Promise<Output | undefined> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) => (isOutOfMemory(error) ? settle() : reject(error))
    const settle = (answer?: Output) => {
      clearTimeout(timer)
      thread.off('message', settle).off('error', failed).off('exit', ended)
      resolve(answer)
    }
    const ended = () => settle()
    const timer = setTimeout(ended, withinMs)
    thread.once('message', settle).once('error', failed).once('exit', ended)
    thread.postMessage(input)
  })
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

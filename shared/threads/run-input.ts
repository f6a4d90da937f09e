import { once } from 'node:events'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** The limits of one input. */
export interface InputLimits {
  /** Maximum CPU time of the thread. Other load on the machine does not count. */
  cpuMs?: number
  /** Maximum elapsed time with the start of the thread. It ends a thread that gets no CPU time or hangs outside of JavaScript. */
  withinMs: number
}

export interface Thread {
  worker: Worker
  /** Resolves once the thread has loaded its modules. Rejects if it cannot. */
  ready: Promise<unknown>
}

export type RunOutcome<Output> = { output: Output } | { exceeded: 'cpu' | 'memory' | 'time' }

const defaultLimits: ResourceLimits = { maxOldGenerationSizeMb: 256 }

/** Starts a thread. Its module calls `answerInputs`, or sends 'ready' and then its own messages. */
export function startThread(file: URL, resourceLimits = defaultLimits): Thread {
  const worker = new Worker(file, { resourceLimits })
  worker.unref()
  // `ready` and `runInput` report the error to its request. Without a listener, it would end the process.
  worker.on('error', () => {})
  const ready = Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => Promise.reject(new ThreadExit())),
  ])
  ready.catch(() => {})
  return { worker, ready }
}

/** Runs one input on an idle thread. Rejects with the error of the thread. The caller ends the thread unless it has answered. */
export async function runInput<Input, Output>(
  { worker, ready }: Thread,
  input: Input,
  { cpuMs, withinMs }: InputLimits,
): Promise<RunOutcome<Output>> {
  const { promise, resolve, reject } = Promise.withResolvers<RunOutcome<Output>>()
  const answered = (output: Output) => resolve({ output })
  const failed = (error: unknown) => (isOutOfMemory(error) ? resolve({ exceeded: 'memory' }) : reject(error))
  const exited = () => reject(new ThreadExit())
  const end = new AbortController()
  const timer = setTimeout(() => resolve({ exceeded: 'time' }), withinMs)
  const begin = () => {
    if (end.signal.aborted) return
    worker.on('message', answered).on('error', failed).on('exit', exited)
    if (cpuMs !== undefined) watchCpu(worker, cpuMs, () => resolve({ exceeded: 'cpu' }), end.signal)
    worker.postMessage(input)
  }
  ready.then(begin).catch(failed)
  try {
    return await promise
  } finally {
    end.abort()
    clearTimeout(timer)
    worker.off('message', answered).off('error', failed).off('exit', exited)
  }
}

/** A thread ended unexpectedly. */
export class ThreadExit extends Error {}

/** The shortest interval between two checks of the CPU time. */
const minCheckIntervalMs = 50

/**
 * Calls `exceed` when the thread has used `cpuMs` from now on. CPU time is at most the elapsed time. The first check is therefore after
 * `cpuMs`, and the next ones after the remaining CPU time.
 */
function watchCpu(worker: Worker, cpuMs: number, exceed: () => void, signal: AbortSignal): void {
  const atStart = worker.cpuUsage()
  const check = async () => {
    const { user, system } = await worker.cpuUsage(await atStart)
    const leftMs = cpuMs - (user + system) / 1_000
    if (leftMs <= 0) exceed()
    else if (!signal.aborted) checkIn(Math.max(leftMs, minCheckIntervalMs))
  }
  const checkIn = (ms: number) => {
    // Fails if the thread has ended. `runInput` reports the exit.
    const timer = setTimeout(() => check().catch(() => {}), ms)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  atStart.catch(() => {})
  checkIn(cpuMs)
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

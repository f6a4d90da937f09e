import { Worker } from 'node:worker_threads'
import { Problem } from '../../../../shared/errors.ts'
import { createTurns, type Entry } from '../../../../shared/jobs/turns.ts'

export interface QrReader {
  /**
   * The texts of the QR codes in a PNG or JPEG, two at most; none where nothing can be read. At the deadline, and where too
   * many images wait, `service_unavailable`.
   */
  read(image: Buffer, whose: { tenantId: string; deadlineAt: number }): Promise<string[]>
}

interface Waiting extends Entry {
  start(): Promise<void>
}

/** Threads at once, of all tenants; a tenant has one, so that it waits for itself. */
const atOnce = 2
const limits = { items: 1, weight: 1, tenantLine: 20, line: 200 }
/** An image that takes longer is made to take long. */
const readWithinMs = 3_000

/** Reads QR codes beside the requests of this process: on threads, a few at once, the tenants in turn. */
export function createQrReader(): QrReader {
  const turns = createTurns<Waiting>(limits)
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

  return {
    read: (image, { tenantId, deadlineAt }) =>
      new Promise((resolve, reject) => {
        const late = () => {
          turns.remove(entry)
          reject(new Problem('service_unavailable', { retryAfterSeconds: 5 }))
        }
        const timer = setTimeout(late, Math.max(0, deadlineAt - performance.now()))
        const entry: Waiting = {
          tenantId,
          weight: 1,
          async start() {
            await readOnThread(image).then(resolve, reject)
            clearTimeout(timer)
          },
        }
        if (turns.add(entry)) startNext()
        else late()
      }),
  }
}

function readOnThread(image: Buffer): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: image,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const timer = setTimeout(() => void thread.terminate(), readWithinMs)
    thread.once('message', resolve)
    thread.once('error', (error) => (isOutOfMemory(error) ? resolve([]) : reject(error)))
    thread.once('exit', () => {
      clearTimeout(timer)
      resolve([])
    })
  })
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

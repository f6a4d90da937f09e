import type { Log } from '../log/log.ts'
import { flushTraces } from '../tracing/flush.ts'

const stopWithinMs = 10_000

/**
 * Runs `stop` once on SIGTERM or SIGINT, or when a parent process with a channel to this process (`npm start`) has ended. A second
 * signal, or 10 s, ends the process at once.
 */
export function stopOnSignals(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const begin = () => {
    stopping = true
    log.info({ withinMs: stopWithinMs }, 'stopping')
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    stop().then(
      () => flushTraces().then(() => process.exit(0)),
      (err) => {
        log.error({ err }, 'the process did not stop cleanly')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => (stopping ? process.exit(1) : begin()))
  process.on('disconnect', () => stopping || begin())
  if (process.connected === false) begin() // the parent ended while this process was starting
}

/**
 * Frees the memory that loading used, with `--expose-gc`. V8 does not collect garbage in an idle process. Node writes the compile cache
 * (compile-cache.ts) when the process exits: about 1,000 files, which can take seconds. It is therefore not written here.
 */
export function endLoading(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

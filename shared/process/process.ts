import type { Log } from '../log/log.ts'
import { flushTraces } from '../tracing/flush.ts'

const stopWithinMs = 10_000
/** A terminal and npm both forward a Ctrl-C. Only a signal after this time counts as a second one. */
export const duplicateSignalMs = 1_000

/**
 * Runs `stop` once on SIGTERM or SIGINT, or when a parent process with a channel to this process (`npm start`) has ended. A second
 * signal, or 10 s, ends the process at once. The exit code after a clean stop is `process.exitCode`, or 0.
 */
export function stopOnSignals(log: Log, stop: () => Promise<void>): void {
  let stoppingSince: number | undefined
  const begin = () => {
    stoppingSince = performance.now()
    log.info({ withinMs: stopWithinMs }, 'stopping')
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    stop().then(
      () => flushTraces().then(() => process.exit()),
      (err) => {
        log.error({ err }, 'the process did not stop cleanly')
        process.exit(1)
      },
    )
  }
  const onSignal = () => {
    if (stoppingSince === undefined) begin()
    else if (performance.now() - stoppingSince > duplicateSignalMs) process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  process.on('disconnect', () => stoppingSince ?? begin())
  if (process.connected === false) begin() // the parent ended while this process was starting
}

/**
 * Frees the memory that loading used, with `--expose-gc`. V8 does not collect garbage in an idle process. Node writes the compile cache
 * (compile-cache.ts) when the process exits: about 1,000 files, which can take seconds. It is therefore not written here.
 */
export function endLoading(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

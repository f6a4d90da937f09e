import type { Log } from './log.ts'

const stopWithinMs = 10_000

/**
 * Runs `stop` once on SIGTERM or SIGINT, or when a parent that keeps a channel to this process (`npm start` does) is
 * gone. A second signal, or 10 s without an end, ends the process at once.
 */
export function stopOnSignals(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const begin = () => {
    stopping = true
    log.info({ withinMs: stopWithinMs }, 'stopping')
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    stop().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, 'the process did not stop cleanly')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => (stopping ? process.exit(1) : begin()))
  process.on('disconnect', () => stopping || begin())
  if (process.connected === false) begin() // it went while this process was starting
}

/**
 * A process has loaded all that it needs. What loading left is given back (under `--expose-gc`): V8 collects when memory is
 * asked for, not when it is at rest. What was compiled (compile-cache.ts) Node itself keeps for the next start as this
 * process ends: some 1,000 files in one go, which may hold up everything else for seconds, so not while anybody waits for it.
 */
export function endLoading(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** better-sqlite3 and type stripping need it; older versions crash with a message that explains nothing. */
export function requireNode24(): void {
  if (Number(process.versions.node.split('.')[0]) >= 24) return
  console.error(
    `Node.js 24 or newer is needed, this is ${process.versions.node}. \`npm start\` and the other npm scripts bring it.`,
  )
  process.exit(1)
}

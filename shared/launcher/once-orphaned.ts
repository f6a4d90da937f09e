/** Calls `stop` when the process `parent` has ended. An npm that is killed forwards no signal. */
export function onceOrphaned(parent: number, stop: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500).unref()
}

/** The time that the sign of a listener to direct requests lasts without a renewal. */
export const directListenerLeaseMs = 3_000
export const renewListenerMs = 1_000

/**
 * Returns a function that tells whether a process listens to direct requests. It reads the sign of a listener once a second in the background, for
 * later calls. The sign counts as missing if it cannot be read.
 */
export function createListenerCheck(hasListener: () => Promise<boolean>): () => boolean {
  let isListening = false
  let checkedAt = Number.NEGATIVE_INFINITY

  async function check(): Promise<void> {
    checkedAt = performance.now()
    isListening = await hasListener().catch(() => false)
  }

  return () => {
    if (performance.now() - checkedAt > renewListenerMs) void check()
    return isListening
  }
}

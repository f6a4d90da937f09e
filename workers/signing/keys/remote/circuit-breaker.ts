/** Stops calls to a signer that does not answer, until a probe succeeds. */
export interface CircuitBreaker {
  /** The reason why the signer is not available. Undefined while calls are allowed. */
  readonly openReason: string | undefined
  succeed(): void
  /** Counts a failure. Opens after several in sequence. */
  fail(reason: string): void
  /** Probes the signer, and opens or closes by the result. Returns why the signer is not available. Concurrent callers share one probe. */
  probeNow(): Promise<string | undefined>
  /** Ends the probes. */
  close(): void
}

export interface CircuitBreakerOptions {
  /** Rejects while the signer does not answer. The message is the reason. */
  probe(): Promise<void>
  /** Called when the breaker opens with a reason, and when it closes without one. */
  onChange(reason: string | undefined): void
}

const failuresToOpen = 5
/** The time between two probes. With the time limit of a probe, a signer that answers again is used within 5 s. */
const probeEveryMs = 1_000

export function createCircuitBreaker({ probe, onChange }: CircuitBreakerOptions): CircuitBreaker {
  let failures = 0
  let openReason: string | undefined
  let timer: NodeJS.Timeout | undefined
  let probing: Promise<string | undefined> | undefined
  let isClosed = false

  function set(reason: string | undefined): void {
    if (isClosed) return
    const isChange = (reason === undefined) !== (openReason === undefined)
    openReason = reason
    failures = 0
    clearTimeout(timer)
    if (reason !== undefined) timer = setTimeout(() => void probeNow(), probeEveryMs).unref()
    if (isChange) onChange(reason)
  }

  function probeNow(): Promise<string | undefined> {
    probing ??= runProbe().finally(() => {
      probing = undefined
    })
    return probing
  }

  async function runProbe(): Promise<string | undefined> {
    const reason = await probe().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    set(reason)
    return reason
  }

  return {
    get openReason() {
      return openReason
    },
    succeed() {
      failures = 0
    },
    fail(reason) {
      failures++
      if (failures >= failuresToOpen && openReason === undefined) set(reason)
    },
    probeNow,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

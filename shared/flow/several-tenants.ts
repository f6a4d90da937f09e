/** Tells whether several tenants use a part of the process. */
export interface SeveralTenants {
  /** Observes a request of this tenant. */
  observe(tenantId: string): void
  /** Returns whether a second tenant sent a request within the last second. */
  areActive(): boolean
}

/** The time that several tenants count as active after a request of another tenant than the one before. */
const activeForMs = 1_000

/** `now` returns milliseconds on a monotonic clock. */
export function createSeveralTenants(now: () => number = () => performance.now()): SeveralTenants {
  let latestTenantId: string | undefined
  let activeUntil = Number.NEGATIVE_INFINITY
  return {
    observe(tenantId) {
      if (tenantId === latestTenantId) return
      if (latestTenantId !== undefined) activeUntil = now() + activeForMs
      latestTenantId = tenantId
    },
    areActive: () => now() < activeUntil,
  }
}

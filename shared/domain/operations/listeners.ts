/**
 * A listener is a webhook of a developer. A stream gives its requests to a program on the machine of the developer, which sends them to
 * a receiver there.
 */
/** A listener is removed this long after its stream has ended. */
export const webhookListenerLeaseMs = 60_000
/** A stream renews the lease at this interval. */
export const leaseRenewedEveryMs = 5_000
/** Without a renewal for this long, the listener has no stream. */
export const streamLostAfterMs = 3 * leaseRenewedEveryMs

/** A signed request, as a listener sends it. */
export interface ListenerRequest {
  method: string
  /** Path and query, as signed. */
  target: string
  headers: Record<string, string>
  body: string
}

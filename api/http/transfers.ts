import type { Readable } from 'node:stream'
import { Problem } from '../../shared/errors/errors.ts'

/** Limits concurrent transfers of this process. A transfer uses memory and a connection for as long as its client needs. */
export interface TransferLimiter {
  /** Begins a transfer, and returns the function to call at its end. Throws `too_many_requests` and `service_unavailable`. */
  begin(tenantId: string): () => void
}

export interface TransferLimits {
  maxPerTenant: number
  maxTotal: number
  /** The message for a tenant with too many transfers. */
  message: string
  reason: string
}

const retryAfterSeconds = 5

export function createTransferLimiter({ maxPerTenant, maxTotal, message, reason }: TransferLimits): TransferLimiter {
  const byTenant = new Map<string, number>()
  let all = 0

  function count(tenantId: string, more: 1 | -1): void {
    const now = (byTenant.get(tenantId) ?? 0) + more
    all += more
    if (now === 0) byTenant.delete(tenantId)
    else byTenant.set(tenantId, now)
  }

  return {
    begin(tenantId) {
      if ((byTenant.get(tenantId) ?? 0) >= maxPerTenant) {
        throw new Problem('too_many_requests', { message, retryAfterSeconds, reason })
      }
      if (all >= maxTotal) throw new Problem('service_unavailable', { retryAfterSeconds })
      count(tenantId, 1)
      return () => count(tenantId, -1)
    },
  }
}

/** Returns the chunks. Closes `stream`, to which they go, when its reader does not ask for the next chunk in time. */
export async function* untilStalled(
  chunks: AsyncIterable<Buffer>,
  stream: () => Readable,
  stalledMs: number,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const timer = setTimeout(() => stream().destroy(), stalledMs)
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
  }
}

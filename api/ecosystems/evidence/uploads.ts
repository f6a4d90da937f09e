import { Problem } from '../../../shared/errors.ts'

/** Limits concurrent uploads of this process. An upload uses memory and a connection for as long as its sender needs. */
export interface UploadLimiter {
  /** Begins an upload, and returns the function to call at its end. Throws `too_many_requests` and `service_unavailable`. */
  begin(tenantId: string): () => void
}

const maxPerTenant = 5
const maxTotal = 50
const retryAfterSeconds = 5

export function createUploadLimiter(): UploadLimiter {
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
        const message = `At most ${maxPerTenant} files of a tenant can be uploaded at the same time. Send the file again after another upload has ended.`
        throw new Problem('too_many_requests', { message, retryAfterSeconds, reason: 'uploads' })
      }
      if (all >= maxTotal) throw new Problem('service_unavailable', { retryAfterSeconds })
      count(tenantId, 1)
      return () => count(tenantId, -1)
    },
  }
}

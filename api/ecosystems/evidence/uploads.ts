import { Problem } from '../../../shared/errors.ts'

/** Which files are being uploaded to this process: each holds some memory, and a connection, for as long as its sender likes. */
export interface Uploads {
  /** Begins one; to be called what it returns when it has ended. Throws `too_many_requests` and `service_unavailable`. */
  begin(tenantId: string): () => void
}

const mostOfTenant = 5
const mostOfAll = 50
const retryAfterSeconds = 5

export function createUploads(): Uploads {
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
      if ((byTenant.get(tenantId) ?? 0) >= mostOfTenant) {
        const message = `${mostOfTenant} files are being uploaded at this moment: send the next one when one of them has ended`
        throw new Problem('too_many_requests', { message, retryAfterSeconds, reason: 'uploads' })
      }
      if (all >= mostOfAll) throw new Problem('service_unavailable', { retryAfterSeconds })
      count(tenantId, 1)
      return () => count(tenantId, -1)
    },
  }
}

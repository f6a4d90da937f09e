import type { ServerResponse } from 'node:http'
import { Problem } from '../../shared/errors/errors.ts'

/** Smaller answers are not counted. */
const largeBytes = 256 * 1024

/**
 * Limits the memory of large answers that slow clients have not received yet. One per process. Answers that share memory, such as
 * those of a cached list, count once.
 */
export interface LargeAnswers {
  /**
   * Counts the memory of `bytes` until the response closes. Closes a connection whose client receives nothing for too long, or not all
   * before a deadline. Returns false and counts nothing if the limit of the process or of the tenant is reached.
   */
  hold(response: ServerResponse, bytes: Uint8Array, tenantId: string | undefined): boolean
}

export interface LargeAnswerLimits {
  /** Maximum bytes of the answers of all tenants. */
  maxBytes: number
  /** Maximum bytes of the answers of one tenant. */
  maxBytesPerTenant: number
  /** The maximum time in which a client receives nothing. */
  stalledMs: number
  /** A client that receives the whole answer more slowly, after `stalledMs`, is disconnected. */
  minBytesPerSecond: number
}

const defaultLimits: LargeAnswerLimits = {
  maxBytes: 256 * 1024 * 1024,
  maxBytesPerTenant: 64 * 1024 * 1024,
  stalledMs: 30_000,
  minBytesPerSecond: 8 * 1024,
}

export function createLargeAnswers(limits: Partial<LargeAnswerLimits> = {}): LargeAnswers {
  const { maxBytes, maxBytesPerTenant, stalledMs, minBytesPerSecond } = { ...defaultLimits, ...limits }
  const all = createCount(maxBytes)
  const byTenant = new Map<string, Count>()

  return {
    hold(response, { buffer: memory, byteLength }, tenantId = '') {
      // A closed response sends nothing and emits no other 'close'.
      if (byteLength < largeBytes || response.closed) return true
      const ofTenant = byTenant.get(tenantId) ?? createCount(maxBytesPerTenant)
      if (!all.hasRoom(memory) || !ofTenant.hasRoom(memory)) return false
      byTenant.set(tenantId, ofTenant)
      for (const count of [all, ofTenant]) count.add(memory)
      // Node restarts the timeout with each byte that the client receives.
      response.setTimeout(stalledMs, () => response.destroy())
      const deadlineMs = stalledMs + (byteLength / minBytesPerSecond) * 1_000
      const timer = setTimeout(() => response.destroy(), deadlineMs)
      response.once('close', () => {
        clearTimeout(timer)
        for (const count of [all, ofTenant]) count.remove(memory)
        if (ofTenant.isEmpty()) byTenant.delete(tenantId)
      })
      return true
    },
  }
}

interface Count {
  hasRoom(memory: ArrayBufferLike): boolean
  add(memory: ArrayBufferLike): void
  remove(memory: ArrayBufferLike): void
  isEmpty(): boolean
}

function createCount(maxBytes: number): Count {
  /** The number of responses that send from each memory. */
  const readers = new Map<ArrayBufferLike, number>()
  let heldBytes = 0
  return {
    hasRoom(memory) {
      // A single answer of any size is sent.
      return readers.has(memory) || heldBytes === 0 || heldBytes + memory.byteLength <= maxBytes
    },
    add(memory) {
      const count = readers.get(memory) ?? 0
      if (count === 0) heldBytes += memory.byteLength
      readers.set(memory, count + 1)
    },
    remove(memory) {
      const left = (readers.get(memory) ?? 1) - 1
      if (left > 0) {
        readers.set(memory, left)
        return
      }
      readers.delete(memory)
      heldBytes -= memory.byteLength
    },
    isEmpty: () => readers.size === 0,
  }
}

/** The problem of an answer over the limit. */
export function tooManyBytes(): Problem {
  return new Problem('service_unavailable', {
    message: 'Too many large answers are being sent. Try again later.',
    retryAfterSeconds: 5,
  })
}

import type { ServerResponse } from 'node:http'
import { Problem } from '../../shared/errors.ts'

/** Smaller answers are not counted: each is soon sent. */
const largeBytes = 256 * 1024
const defaultMostBytes = 256 * 1024 * 1024

/**
 * Bounds the memory of large answers that slow readers have not taken yet. One per process. Answers that share their
 * memory, as those of a cached list do, count once.
 */
export interface LargeAnswers {
  /** Counts the memory of `bytes` until the response closes. Returns false, and counts nothing, beyond the bound. */
  hold(response: ServerResponse, bytes: Uint8Array): boolean
}

export function createLargeAnswers(mostBytes = defaultMostBytes): LargeAnswers {
  /** How many responses send from this memory. */
  const readers = new Map<ArrayBufferLike, number>()
  let heldBytes = 0

  function release(memory: ArrayBufferLike): void {
    const left = (readers.get(memory) ?? 1) - 1
    if (left > 0) {
      readers.set(memory, left)
      return
    }
    readers.delete(memory)
    heldBytes -= memory.byteLength
  }

  return {
    hold(response, { buffer: memory, byteLength }) {
      // A response that has closed sends nothing, and would not close again.
      if (byteLength < largeBytes || response.closed) return true
      const count = readers.get(memory) ?? 0
      // A single answer is sent whatever its size.
      if (count === 0 && heldBytes > 0 && heldBytes + memory.byteLength > mostBytes) return false
      if (count === 0) heldBytes += memory.byteLength
      readers.set(memory, count + 1)
      response.once('close', () => release(memory))
      return true
    },
  }
}

/** The refusal of an answer that is beyond the bound. */
export function tooManyBytes(): Problem {
  return new Problem('service_unavailable', {
    message: 'Too many large answers are being sent. Try again later.',
    retryAfterSeconds: 5,
  })
}

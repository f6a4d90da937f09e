import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/**
 * Unpredictable bytes, at most a few dozen. They are drawn in advance, as `crypto.randomUUID` does it, because each call of
 * OpenSSL's generator is dear; those that were given away are wiped.
 */
export function smallRandomBytes(size: number): Buffer {
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + size))
  pool.fill(0, used, used + size)
  used += size
  return bytes
}

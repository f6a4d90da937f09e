import { yieldIfBusy } from '../../jobs/yield-if-busy.ts'
import type { Copy } from './signing-input.ts'

/**
 * Signs each copy and returns the results in their order. A copy does not wait for the signature of another, which a device can compute for
 * milliseconds. A key of this process signs in the call, so that other jobs can run between two copies. Throws the first error.
 */
export async function signEach<Result>(
  copies: readonly Copy[],
  sign: (copy: Copy) => Promise<Result>,
): Promise<Result[]> {
  const results: Promise<Result>[] = []
  for (const copy of copies) {
    const result = sign(copy)
    // The error is thrown below.
    result.catch(() => undefined)
    results.push(result)
    await yieldIfBusy()
  }
  return Promise.all(results)
}

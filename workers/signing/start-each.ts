import { setImmediate } from 'node:timers/promises'
import { yieldIfBusy } from '../jobs/yield-if-busy.ts'

/** A signature that is being made. To wait for this object is not to wait for the signature. */
export interface Started<Result> {
  result: Promise<Result>
  /** Whether another process or device makes the signature (bytes-signer.ts). */
  isExternal: boolean
}

/**
 * The external signatures of a job that are awaited at the same time: the sessions of a token. A smart card makes a few signatures per second,
 * so that more of them would wait until their deadline.
 */
const maxAwaited = 8

/**
 * Prepares and signs the items in their order, and returns the results. The first item fills the caches for the others. The next item
 * does not wait for an external signature, which takes milliseconds. Other jobs can run between the items.
 */
export async function startEach<Item, Result>(
  items: readonly Item[],
  start: (item: Item, position: number) => Promise<Started<Result>>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: Promise<Result>[] = []
  for (const [position, item] of items.entries()) {
    const { result, isExternal } = await start(item, position).catch((error: unknown) => failed<Result>(error))
    results.push(result)
    const settled = result.then(ignore, ignore)
    await (isExternal ? results[position + 1 - maxAwaited]?.then(ignore, ignore) : settled)
    await (isExternal ? setImmediate() : yieldIfBusy())
  }
  return Promise.allSettled(results)
}

function ignore(): void {}

function failed<Result>(error: unknown): Started<Result> {
  return { result: Promise.reject(error), isExternal: false }
}

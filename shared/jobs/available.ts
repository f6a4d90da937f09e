import { Problem } from '../errors.ts'

/** A Redis that is away is the caller's `service_unavailable`, not a bug. */
export async function available<Value>(command: Promise<Value>): Promise<Value> {
  try {
    return await command
  } catch (error) {
    throw new Problem('service_unavailable', { retryAfterSeconds: 2, cause: error })
  }
}

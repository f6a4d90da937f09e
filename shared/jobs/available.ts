import { Problem } from '../errors/errors.ts'

/** Throws the failure of a Redis command as `service_unavailable`. */
export async function available<Value>(command: Promise<Value>): Promise<Value> {
  try {
    return await command
  } catch (error) {
    throw new Problem('service_unavailable', { retryAfterSeconds: 2, cause: error })
  }
}

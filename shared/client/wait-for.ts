import { dataOf, type Fetched } from './errors.ts'

interface WaitLimits {
  /** Default: 10 minutes. */
  timeoutMs?: number
  /** Default: 1 s. */
  intervalMs?: number
}

/**
 * Reads a job until it has ended, such as a bulk revocation. Returns the job. Throws a `TrustwrightError` for an error response, and an
 * Error if the job has not ended in time.
 */
export async function waitFor<Job>(
  read: () => Promise<Fetched<Job>>,
  hasEnded: (job: NonNullable<Job>) => boolean,
  { timeoutMs = 600_000, intervalMs = 1_000 }: WaitLimits = {},
): Promise<NonNullable<Job>> {
  const endsAt = Date.now() + timeoutMs
  for (;;) {
    const job = await dataOf(read())
    if (hasEnded(job)) return job
    if (Date.now() + intervalMs > endsAt) throw new Error(`The job has not ended within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}

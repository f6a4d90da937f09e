import type { WireProblem } from '../../shared/errors/errors.ts'
import type { Reply } from '../../shared/jobs/completions.ts'
import type { RedisConnection } from '../../shared/jobs/redis.ts'
import { definitionOf, type JobName } from '../../shared/jobs/registry.ts'
import { type JobData, jobSealContext } from '../../shared/jobs/sender.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'

/** Returns the payload of a job, decrypted if the job is sealed. */
export function openPayload(name: JobName, { payload }: JobData, secrets: Secrets): never {
  // Boundary: the bus typed the payload when it was sent.
  return (
    definitionOf(name).sealed ? JSON.parse(secrets.open(String(payload), jobSealContext(name))) : payload
  ) as never
}

/** Serializes the result of a handler for its reply, sealed if the job is sealed. */
export function resultOf(name: JobName, returned: unknown, secrets: Secrets): string {
  const result = JSON.stringify(returned ?? null)
  return definitionOf(name).sealed ? secrets.seal(result, jobSealContext(name)) : result
}

/** Publishes the outcome of a job to the process that waits for it, if there is one. */
export async function reply(
  redis: RedisConnection,
  { id, replyTo }: { id: string | undefined; replyTo: string | undefined },
  outcome: { result: string } | { problem: WireProblem },
): Promise<void> {
  if (!replyTo || !id) return
  const message: Reply = { id, ...outcome }
  await redis.publish(replyTo, JSON.stringify(message))
}

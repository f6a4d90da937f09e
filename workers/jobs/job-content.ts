import type { WireProblem } from '../../shared/errors/errors.ts'
import type { Consumer } from '../../shared/jobs/broker.ts'
import { type JobData, jobSealContext } from '../../shared/jobs/job-data.ts'
import { definitionOf, type JobName } from '../../shared/jobs/registry.ts'
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

/** Sends the outcome of a job to the process that waits for it, if there is one. */
export async function reply(
  consumer: Pick<Consumer, 'reply'>,
  { id, replyTo }: { id: string | undefined; replyTo: string | undefined },
  outcome: { result: string } | { problem: WireProblem },
): Promise<void> {
  if (!replyTo || !id) return
  await consumer.reply(replyTo, { id, ...outcome })
}

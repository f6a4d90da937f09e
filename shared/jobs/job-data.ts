import type { SealContext } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { definitionOf, type JobName } from './registry.ts'

/** The data of a job in Redis. */
export interface JobData {
  /** The payload as JSON, or its sealed JSON. */
  payload: unknown
  /** The channel for the reply, if a caller waits for the result. */
  replyTo?: string
}

/** Returns the context for which the payload and the result of a sealed job are sealed. */
export function jobSealContext(name: JobName): SealContext {
  return { use: `job ${name}`, place: name }
}

export function createJobData(secrets: Secrets): (name: JobName, payload: unknown, replyTo?: string) => JobData {
  return (name, payload, replyTo) => ({
    payload: definitionOf(name).sealed ? secrets.seal(JSON.stringify(payload), jobSealContext(name)) : payload,
    ...(replyTo ? { replyTo } : {}),
  })
}

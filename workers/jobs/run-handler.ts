import type { JobName } from '../../shared/jobs/registry.ts'
import { type Traced, tracing } from '../../shared/tracing/tracing.ts'
import type { Attempt } from './handlers.ts'

type Handler = (payload: never, attempt: Attempt) => Promise<unknown>

/** Runs the handler of a job. Each item of the job has a span in the trace of the request that caused it. Other jobs have no spans. */
export function runHandler(handler: Handler, name: JobName, payload: never, attempt: Attempt): Promise<unknown> {
  if (!tracing) return handler(payload, attempt)
  const attributes = { 'trustwright.job': name, 'trustwright.attempt': attempt.number }
  return tracing.consume('job', attributes, payloadItems(payload), () => handler(payload, attempt))
}

/** Returns the items of a payload, or the payload itself. */
export function payloadItems(payload: unknown): Traced[] {
  if (typeof payload !== 'object' || payload === null) return []
  return 'items' in payload && Array.isArray(payload.items) ? payload.items : [payload]
}

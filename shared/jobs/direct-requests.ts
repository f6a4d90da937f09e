import { z } from 'zod'
import type { JobData } from './job-data.ts'
import type { JobName } from './registry.ts'

/**
 * A request to the signing process for one job, which costs less than the job. Nothing guarantees an answer: a request that has none, or that
 * fails, becomes a job with the same id (sender.ts).
 */
export interface DirectRequest {
  id: string
  name: JobName
  payload: unknown
  /** Returns the request as a list stores it. Each call returns the same object. */
  stored(): StoredRequest
}

/** A request in a Redis list or a row: the name and the data of its job, with the id of the expected reply. */
export interface StoredRequest {
  id: string
  name: string
  data: JobData
}

/** A way to signing processes. The bus uses the first open one. */
export interface DirectChannel {
  /** Returns whether a signing process takes requests, as far as this process knows. */
  isOpen(): boolean
  /**
   * Sends a request. Resolves with the answer, or with undefined if the answer comes as a reply over Redis (completions.ts) or the request was
   * withdrawn. Rejects if a job must take over.
   */
  send(request: DirectRequest): Promise<DirectAnswer | undefined>
  /** Removes a request that no process runs yet. Never fails. */
  withdraw(request: DirectRequest): Promise<void>
}

export interface DirectAnswer {
  result: unknown
}

/** A call without a reply queues its job after this time, and again each time that this time passes. */
export const unansweredMs = 3_000

const StoredRequestText = z.compile(
  z.object({
    id: z.string(),
    name: z.string(),
    data: z.object({ payload: z.unknown(), replyTo: z.string().optional() }),
  }),
)

/** Reads an entry of the list. Returns undefined if no process of this service wrote it. */
export function readStoredRequest(text: string): StoredRequest | undefined {
  try {
    const { id, name, data } = StoredRequestText.parse(JSON.parse(text))
    const { payload, replyTo } = data
    return { id, name, data: { payload, ...(replyTo !== undefined && { replyTo }) } }
  } catch {
    return undefined
  }
}

/** Returns the same text for the same request, because `withdraw` finds the entry of a Redis list by its text. */
export function requestText({ id, name, data: { payload, replyTo } }: StoredRequest): string {
  return JSON.stringify({ id, name, data: { payload, replyTo } })
}

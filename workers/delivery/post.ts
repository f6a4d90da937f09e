import type { Outbound } from '../../shared/outbound/outbound.ts'
import { OutboundError } from '../../shared/outbound/outbound-error.ts'

const timeoutMs = 3_000
const maxAnswerBytes = 1024

export interface PostAnswer {
  /** The HTTP status, if there was an answer. */
  status?: number
  /** The first 1 KB of the answer, if it is not empty. */
  answer?: string
  error?: string
  retryAfter?: string | undefined
  /** The answer did not arrive in time. */
  timedOut?: boolean
}

/** Sends a body once. Returns the result also if there is no answer. A redirect is not followed. */
export async function post(
  { outbound }: { outbound: Outbound },
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<PostAnswer> {
  const request = { method: 'POST', url, headers, body, timeoutMs, maxResponseBytes: maxAnswerBytes } as const
  try {
    const response = await outbound.request({ ...request, overflow: 'truncate' })
    const text = response.body.toString()
    const [retryAfter] = [response.headers['retry-after']].flat()
    return { status: response.status, retryAfter, ...(text ? { answer: text } : {}) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const timedOut = error.reason === 'timeout'
    return { timedOut, error: error.code ? `${error.message} (${error.code})` : error.message }
  }
}

import { KeyProviderRefused } from '../provider.ts'
import type { ApiAnswer, ApiRequest, SignerAdapter } from './adapter.ts'
import { NoAnswer, type SignerTransport } from './transport.ts'

/** A failed attempt. A `throttled` or `unauthorized` request was not processed. It is unknown whether an `unanswered` request was. */
export interface FailedCall {
  kind: 'throttled' | 'unauthorized' | 'unanswered'
  reason: string
  /** The pause that the signer asks for. */
  retryAfterMs?: number | undefined
}

/**
 * Sends a request once. Returns the answer if the request accepts its status, or why the attempt failed. Throws KeyProviderRefused for an
 * answer that another attempt would not change.
 */
export async function attemptCall(
  request: ApiRequest,
  { name, adapter, transport }: { name: string; adapter: SignerAdapter; transport: SignerTransport },
  timeoutMs: number,
): Promise<{ answer: ApiAnswer } | { failed: FailedCall }> {
  try {
    const headers = { ...request.headers, ...(await adapter.authorize(request)) }
    const answer = await transport.send({ ...request, headers }, timeoutMs)
    const status = adapter.statusOf?.(answer) ?? answer.status
    if ((status >= 200 && status < 300) || request.accepts?.includes(status)) return { answer: { ...answer, status } }
    const failed = failedCallOf(status, answer)
    if (failed) return { failed }
    throw new KeyProviderRefused(`The key provider ${name} ${refusalOf(status)} (status ${status}).`)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { failed: { kind: 'unanswered', reason: error.message } }
  }
}

function failedCallOf(status: number, { retryAfterMs }: ApiAnswer): FailedCall | undefined {
  if (status === 429) return { kind: 'throttled', reason: 'it asks for fewer calls (status 429)', retryAfterMs }
  if (status === 401 || status === 403) {
    return { kind: 'unauthorized', reason: `it refuses the credentials or their permissions (status ${status})` }
  }
  if (status === 408 || status >= 500) return { kind: 'unanswered', reason: `it answers with status ${status}` }
  return undefined
}

function refusalOf(status: number): string {
  if (status === 404) return 'does not know the key, or the URL of its settings is wrong'
  return 'refuses the request. Check what its account allows, and its log'
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../../shared/log/log.ts'
import { reportKeyProvider } from '../../../../shared/metrics/key-providers.ts'
import type { SignerLimits } from '../../../../shared/settings/key-signers.ts'
import { KeyProviderUnavailable } from '../provider.ts'
import type { ApiAnswer, ApiRequest, CallApi, SignerAdapter } from './adapter.ts'
import { attemptCall, type FailedCall } from './attempt.ts'
import { createCallQueue } from './call-queue.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { NoAnswer, type SignerTransport } from './transport.ts'

/** Sends the requests of an adapter: with limits, retries, a deadline and a circuit breaker. */
export interface SignerClient {
  /** Returns a function that sends requests for a tenant. */
  callFor(tenantId: string): CallApi
  /** Rejects with KeyProviderUnavailable if the signer does not answer a cheap request. */
  check(): Promise<void>
  /** Returns whether calls are allowed. */
  isUp(): boolean
  close(): Promise<void>
}

export interface SignerClientOptions {
  name: string
  limits: SignerLimits
  adapter: SignerAdapter
  transport: SignerTransport
  log: Log
}

const maxAttempts = 3
const firstPauseMs = 50
const longestPauseMs = 500
/** The pause of all calls when the signer asks for fewer without saying for how long. */
const throttledPauseMs = 250

export function createSignerClient(options: SignerClientOptions): SignerClient {
  const { name, limits, adapter, transport } = options
  const queue = createCallQueue(name, limits)
  const callOnce: CallApi = async (request) => {
    const outcome = await attemptCall(request, options, limits.timeoutMs)
    if ('answer' in outcome) return outcome.answer
    // A signer that asks for fewer calls is available.
    if (outcome.failed.kind === 'throttled') return { status: 200, json: {} }
    throw new NoAnswer(outcome.failed.reason)
  }
  const breaker = createReportingBreaker(options, () => adapter.check(callOnce))

  /** Counts a failed attempt, and prepares the next one. */
  function handleFailure({ kind, reason, retryAfterMs = throttledPauseMs }: FailedCall): void {
    if (kind === 'throttled') queue.pause(retryAfterMs)
    if (kind === 'unanswered') breaker.fail(reason)
    if (kind !== 'unauthorized') return
    adapter.forgetToken?.()
    // A missing permission concerns one operation. The probe finds out whether the credentials are valid.
    void breaker.probeNow()
  }

  async function call(tenantId: string, request: ApiRequest): Promise<ApiAnswer> {
    const deadlineAt = performance.now() + limits.deadlineMs
    const leftMs = () => deadlineAt - performance.now()
    for (let attempts = 1; ; attempts++) {
      if (breaker.openReason !== undefined) throw unavailable(name, breaker.openReason)
      const outcome = await queue.run(tenantId, deadlineAt, () =>
        attemptCall(request, options, Math.max(1, Math.min(limits.timeoutMs, leftMs()))),
      )
      if ('answer' in outcome) {
        breaker.succeed()
        return outcome.answer
      }
      const { failed } = outcome
      handleFailure(failed)
      const pauseMs = Math.min(firstPauseMs * 2 ** attempts, longestPauseMs) * Math.random()
      if (!mayRepeat(request, failed, attempts) || leftMs() <= pauseMs) throw unavailable(name, failed.reason)
      await sleep(pauseMs)
    }
  }

  return {
    callFor: (tenantId) => (request) => call(tenantId, request),
    async check() {
      const reason = await breaker.probeNow()
      if (reason !== undefined) throw unavailable(name, reason)
    },
    isUp: () => breaker.openReason === undefined,
    async close() {
      breaker.close()
      queue.close()
      await transport.close()
    },
  }
}

/** Creates the breaker, which logs once when the signer fails and once when it is available again. */
function createReportingBreaker({ name, log }: SignerClientOptions, probe: () => Promise<void>): CircuitBreaker {
  let downSince = 0
  reportKeyProvider(name, true)
  return createCircuitBreaker({
    probe,
    onChange(reason) {
      reportKeyProvider(name, reason === undefined)
      if (reason === undefined) {
        const downMs = Math.round(performance.now() - downSince)
        log.info({ provider: name, downMs }, 'key provider is available again')
      } else {
        downSince = performance.now()
        log.error({ provider: name, reason }, 'key provider is not available')
      }
    },
  })
}

/** A throttled request is repeated until its deadline. A request that may have been processed is repeated only if that is harmless. */
function mayRepeat({ isRepeatable }: ApiRequest, { kind }: FailedCall, attempts: number): boolean {
  if (kind === 'throttled') return true
  return attempts < maxAttempts && (kind === 'unauthorized' || isRepeatable)
}

function unavailable(name: string, reason: string): KeyProviderUnavailable {
  return new KeyProviderUnavailable(`The key provider ${name} is not available: ${reason}.`)
}

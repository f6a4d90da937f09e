import type { Log } from '../../../../shared/log/log.ts'
import { reportKeyProvider } from '../../../../shared/metrics/key-providers.ts'
import type { RequestToToken } from './messages.ts'

/** A check shows that the token is available again only this time after the last failure. A request shows it at once. */
const quietMs = 3_000

/** Whether the token answers. */
export interface TokenHealth {
  isUp(): boolean
  opened(): void
  /** `isAlone`: no other request waits for its answer. One that hangs is a failure later, although checks are answered. */
  answered(request: RequestToToken, isAlone: boolean): void
  failed(reason: string): void
}

/** Logs one alarm at the first failure and one message at the recovery, and reports the metric. */
export function createTokenHealth(log: Log): TokenHealth {
  let isUp = true
  let failedAt = Number.NEGATIVE_INFINITY
  let downSince = 0

  function recover(): void {
    if (isUp) return
    isUp = true
    log.info(
      { provider: 'pkcs11', downMs: Math.round(performance.now() - downSince) },
      'key provider is available again',
    )
    reportKeyProvider('pkcs11', true)
  }

  return {
    isUp: () => isUp,
    opened: () => reportKeyProvider('pkcs11', isUp),
    answered({ op }, isAlone) {
      if (op !== 'check' || (isAlone && performance.now() - failedAt > quietMs)) recover()
    },
    failed(reason) {
      failedAt = performance.now()
      if (!isUp) return
      isUp = false
      downSince = failedAt
      log.error({ provider: 'pkcs11', reason }, 'key provider is not available')
      reportKeyProvider('pkcs11', false)
    },
  }
}

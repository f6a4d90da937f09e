import type { Log } from '../../../../shared/log/log.ts'
import { Misconfigured } from '../../../../shared/process/dependency.ts'
import { KeyProviderRefused, KeyProviderUnavailable } from '../provider.ts'
import type { OpenedToken, RequestToToken, TokenAnswer, TokenSettings, TokenValue } from './messages.ts'
import { connectToken, type OpenChild, type TokenConnection } from './token-connection.ts'
import { createTokenHealth, type TokenHealth } from './token-health.ts'
import { createWaitingRequests, type WaitingRequest, type WaitingRequests } from './waiting-requests.ts'

export interface TokenLimits {
  /** The time that a request waits for its answer, from its arrival. */
  requestMs: number
  /** The time that the library may take for one call. Its process is replaced then. */
  callMs: number
  /** The time that the library may take to generate, import, list or destroy keys. */
  slowCallMs: number
  /** Whether a wrong PIN at the first attempt is waited for, as later ones are. Otherwise the first attempt is the only one. */
  waitsForPin: boolean
}

export interface TokenQueue {
  /** Resolves with the value of the answer. Throws KeyProviderRefused, and KeyProviderUnavailable at the deadline. */
  request(request: RequestToToken): Promise<TokenValue>
  isUp(): boolean
  /** Resolves when the token is open. Throws Misconfigured if the first attempt fails. */
  firstOpened: Promise<OpenedToken>
  close(): Promise<void>
}

/** A request that ends the process of the library each time does not hold up the others for ever. */
const maxAttempts = 4
const checkMs = 1_000

/** Sends requests to the process of the library, at most one for each session, and again to the next process if it ends. */
export function createTokenQueue(token: TokenSettings, log: Log, limits: TokenLimits): TokenQueue {
  const waiting = createWaitingRequests()
  const health = createTokenHealth(log)
  const { promise: firstOpened, resolve: endFirst, reject: failFirst } = Promise.withResolvers<OpenedToken>()
  let isOpenedOnce = false
  let isClosed = false

  const connection = connectToken(token, {
    opened(opened) {
      isOpenedOnce = true
      endFirst(opened)
      health.opened()
      startNext()
    },
    failed({ reason, isWrongPin }) {
      if (isOpenedOnce || (isWrongPin && limits.waitsForPin)) health.failed(reason)
      else failFirst(new Misconfigured(reason))
    },
  })
  const startNext = createDispatcher(connection, waiting, health, limits)

  function request(request: RequestToToken): Promise<TokenValue> {
    if (isClosed) return Promise.reject(new KeyProviderUnavailable('The token is closed.'))
    const answered = waiting.add(request, isSlow(request) ? limits.requestMs + limits.slowCallMs : limits.requestMs)
    startNext()
    return answered
  }

  const check = () => connection.current() && void request({ op: 'check' }).catch(() => {})
  const timer = setInterval(check, checkMs)
  return {
    request,
    isUp: health.isUp,
    firstOpened,
    async close() {
      isClosed = true
      clearInterval(timer)
      waiting.rejectAll(new KeyProviderUnavailable('The token is closed.'))
      await connection.close()
    },
  }
}

/** Returns a function that sends waiting requests to the open token, while it has idle sessions. */
function createDispatcher(
  { current }: TokenConnection,
  waiting: WaitingRequests,
  health: TokenHealth,
  { callMs, slowCallMs }: TokenLimits,
): () => void {
  let running = 0

  function startNext(): void {
    for (;;) {
      const open = current()
      if (!open || running >= open.sessions) return
      const next = waiting.take()
      if (!next) return
      void run(next, open)
    }
  }

  async function run(entry: WaitingRequest, { child }: OpenChild): Promise<void> {
    running++
    entry.attempts++
    const { request } = entry
    const sent = 'isRepeated' in request ? { ...request, isRepeated: entry.attempts > 1 } : request
    const answer = await child.call(sent, isSlow(request) ? slowCallMs : callMs)
    running--
    if ('lost' in answer) health.failed(answer.lost)
    else health.answered(request, running === 0)
    if (!settle(entry, answer)) waiting.putBack(entry)
    startNext()
  }

  return startNext
}

/** Returns false if the request can be sent to the next process of the library. */
function settle({ attempts, resolve, reject }: WaitingRequest, answer: TokenAnswer): boolean {
  if ('value' in answer) resolve(answer.value)
  else if ('refused' in answer) reject(new KeyProviderRefused(answer.refused))
  else if (attempts < maxAttempts) return false
  else reject(new KeyProviderUnavailable(`The token does not answer (${answer.lost}).`))
  return true
}

function isSlow({ op }: RequestToToken): boolean {
  return op === 'generate' || op === 'makeSecret' || op === 'import' || op === 'list' || op === 'destroy'
}

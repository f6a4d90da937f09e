import { AsyncLocalStorage } from 'node:async_hooks'
import type { DirectChannel } from './direct-requests.ts'
import type { JobName } from './registry.ts'

/** A direct request that a signing process has received, with its payload as JSON. */
export interface ReceivedRequest {
  id: string
  name: JobName
  payload: string
  /** Becomes true when nothing waits for the request any more. Then it must not start. */
  isWithdrawn: boolean
}

/** Runs a request. Resolves with the result as JSON, or with undefined if it was withdrawn before its start. Rejects if a job must take over. */
export type AnswerRequest = (request: ReceivedRequest) => Promise<string | undefined>

export interface LocalChannel extends DirectChannel {
  /** Opens the channel: the role signing runs in this process. Returns a function that closes it for further requests. */
  open(answer: AnswerRequest): () => void
}

/** Direct requests to the role signing of the same process. They are plain calls, without Redis and without seals. */
export function createLocalChannel(): LocalChannel {
  let answer: AnswerRequest | undefined
  const waiting = new Map<string, ReceivedRequest>()
  return {
    open(opened) {
      // A handler must not run in the trace of the request that happens to send its batch.
      const outside = AsyncLocalStorage.snapshot()
      const answerOutside: AnswerRequest = (request) => outside(opened, request)
      answer = answerOutside
      return () => {
        if (answer === answerOutside) answer = undefined
      }
    },
    isOpen: () => answer !== undefined,
    async send({ id, name, payload }) {
      if (!answer) throw new Error('The role signing of this process has ended.')
      // As JSON, so that neither side can change values of the other.
      const request = { id, name, payload: JSON.stringify(payload), isWithdrawn: false }
      waiting.set(id, request)
      try {
        const result = await answer(request)
        return result === undefined ? undefined : { result: JSON.parse(result) }
      } finally {
        waiting.delete(id)
      }
    },
    async withdraw({ id }) {
      const request = waiting.get(id)
      if (request) request.isWithdrawn = true
    },
  }
}

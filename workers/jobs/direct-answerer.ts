import type { AnswerRequest } from '../../shared/jobs/local-channel.ts'
import { type DirectRunOptions, runDirectRequest } from './run-direct-request.ts'

interface DirectAnswererOptions extends DirectRunOptions {
  /** Maximum requests that run at the same time. */
  concurrency: number
}

export interface DirectAnswerer {
  /** Runs a request when a slot is free. Requests get slots in the order of their calls. */
  answer: AnswerRequest
  /** Resolves when no request runs or waits. */
  ended(): Promise<void>
}

/** Answers the direct requests that reach this process without Redis. */
export function createDirectAnswerer(options: DirectAnswererOptions): DirectAnswerer {
  const accepted = new Set<Promise<unknown>>()
  const waiting: (() => void)[] = []
  let freeSlots = options.concurrency

  const answer: AnswerRequest = async (request) => {
    if (freeSlots > 0) freeSlots--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      if (request.isWithdrawn) return undefined
      let result: string | undefined
      await runDirectRequest(options, {
        id: request.id,
        name: request.name,
        // Boundary: the bus typed the payload when it was sent.
        open: () => JSON.parse(request.payload) as never,
        async respond(_name, returned) {
          result = JSON.stringify(returned ?? null)
        },
      })
      return result
    } finally {
      // The slot goes directly to the next request.
      const next = waiting.shift()
      if (next) next()
      else freeSlots++
    }
  }

  return {
    answer(request) {
      const answering = answer(request)
      accepted.add(answering)
      const remove = () => void accepted.delete(answering)
      answering.then(remove, remove)
      return answering
    },
    async ended() {
      await Promise.allSettled(accepted)
    },
  }
}

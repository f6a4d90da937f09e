import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../errors/errors.ts'
import type { Keys } from './keys.ts'

/** A call fails at once while Redis is not reachable. */
const pauseMs = 250

/**
 * Returns keys whose calls wait as long as `canBeAnswered` returns true after each time limit of `keys`. For commands at start, because a
 * slow machine can take minutes. Each job that is called in this way can run twice with the same result.
 */
export function patientKeys(keys: Keys, canBeAnswered: () => Promise<boolean>): Keys {
  return {
    ...keys,
    async call(name, payload, options) {
      for (;;) {
        try {
          return await keys.call(name, payload, options)
        } catch (error) {
          const isUnanswered = error instanceof Problem && error.problem === 'service_unavailable'
          if (!isUnanswered || !(await canBeAnswered())) throw error
          await sleep(pauseMs)
        }
      }
    },
  }
}

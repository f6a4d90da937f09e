import type { ZodType } from 'zod'
import { type Change, type ChangedBy, changesBy } from '../../db/repos/operations/audit/audited.ts'
import {
  type Call,
  defineRoute,
  type OperatorAccess,
  type Parsed,
  type Route,
  type RouteDefinition,
} from '../http/route.ts'

type Schema = ZodType

type AuditedDefinition<P extends Schema | undefined, Q extends Schema | undefined, B extends Schema | undefined> = Omit<
  RouteDefinition<P, Q, B, OperatorAccess>,
  'audit' | 'event' | 'handle'
> & {
  event: string
  handle(call: Call<Parsed<P>, Parsed<Q>, Parsed<B>, OperatorAccess> & Audited): Promise<unknown>
}

export interface Audited {
  change: Change
  /** Returns the answer of a repeated request. It changes nothing, and so the audit gets no row. */
  repeated<Result>(result: Result): Result
  /** Runs a change that shares its transaction with other requests. `work` writes the audit row with the values it receives. */
  changeInSharedTransaction<Result>(work: (by: ChangedBy) => Promise<Result>): Promise<Result>
}

/**
 * Defines a management route that changes something relevant to security. Its handler writes through `change`, a transaction that
 * also commits an audit row `{event}_AUDIT`. A handler that succeeds without an audit row is a bug.
 */
export function defineAuditedRoute<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>({ handle, ...definition }: AuditedDefinition<P, Q, B>): Route {
  return defineRoute<P, Q, B, OperatorAccess>({
    ...definition,
    audit: true,
    async handle(call) {
      const { deps, requestId } = call
      const { clientId, managementUserId } = call.caller
      const by = { event: definition.event, requestId, clientId, managementUserId }
      const changes = changesBy(deps, by)
      let isRecorded = false
      const recorded = async <Result>(done: Promise<Result>) => {
        const result = await done
        isRecorded = true
        return result
      }
      const answer = await handle({
        ...call,
        change: (work) => recorded(changes(work)),
        repeated: (result) => {
          isRecorded = true
          return result
        },
        changeInSharedTransaction: (work) => recorded(work(by)),
      })
      if (!isRecorded) throw new Error(`${definition.operation} succeeded without an audit record`)
      return answer
    },
  })
}

import type { ZodType } from 'zod'
import { type Change, type ChangedBy, changesBy } from '../../db/repos/operations/audited.ts'
import { type Call, defineRoute, type Parsed, type Route, type RouteDefinition } from '../http/route.ts'

type Schema = ZodType

type AuditedDefinition<P extends Schema | undefined, Q extends Schema | undefined, B extends Schema | undefined> = Omit<
  RouteDefinition<P, Q, B>,
  'audit' | 'event' | 'handle'
> & {
  event: string
  handle(call: Call<Parsed<P>, Parsed<Q>, Parsed<B>> & Audited): Promise<unknown>
}

interface Audited {
  change: Change
  /** For a change that shares its transaction with others': `work` writes the row of the audit there, by what it is given. */
  changeInCompany<Result>(work: (by: ChangedBy) => Promise<Result>): Promise<Result>
}

/**
 * A route of management clients for what bears on security: what it does, it does through `change`, a write transaction
 * with which a row of the audit is committed, `{event}_AUDIT`. A handler that succeeds without one is a bug.
 */
export function defineAuditedRoute<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>({ handle, ...definition }: AuditedDefinition<P, Q, B>): Route {
  return defineRoute<P, Q, B>({
    ...definition,
    audit: true,
    async handle(call) {
      const { deps, requestId } = call
      const { clientId, managementUserId } = call.caller()
      const by = { event: definition.event, requestId, clientId, managementUserId }
      const changes = changesBy(deps, by)
      let isTold = false
      const told = async <Result>(done: Promise<Result>) => {
        const result = await done
        isTold = true
        return result
      }
      const answer = await handle({
        ...call,
        change: (work) => told(changes(work)),
        changeInCompany: (work) => told(work(by)),
      })
      if (!isTold) throw new Error(`${definition.operation} succeeded, and its audit tells nothing`)
      return answer
    },
  })
}

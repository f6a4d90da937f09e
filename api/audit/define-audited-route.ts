import type { ZodType } from 'zod'
import { type Change, changesBy } from '../../db/audited.ts'
import { type Call, defineRoute, type Parsed, type Route, type RouteDefinition } from '../http/route.ts'

type Schema = ZodType

type AuditedDefinition<P extends Schema | undefined, Q extends Schema | undefined, B extends Schema | undefined> = Omit<
  RouteDefinition<P, Q, B>,
  'audit' | 'event' | 'handle'
> & {
  event: string
  handle(call: Call<Parsed<P>, Parsed<Q>, Parsed<B>> & { change: Change }): Promise<unknown>
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
      const changes = changesBy(deps, { event: definition.event, requestId, clientId: call.caller().clientId })
      let isTold = false
      const change: Change = async (work) => {
        const result = await changes(work)
        isTold = true
        return result
      }
      const answer = await handle({ ...call, change })
      if (!isTold) throw new Error(`${definition.operation} succeeded, and its audit tells nothing`)
      return answer
    },
  })
}

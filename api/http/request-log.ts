import type { Context } from 'koa'
import { describeRefusal } from '../../shared/errors/describe-refusal.ts'
import type { Problem } from '../../shared/errors/errors.ts'
import { type Log, withoutParameters } from '../../shared/log/log.ts'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'
import { reasonOf } from '../../shared/process/dependency.ts'
import type { Application } from './application.ts'
import type { Reported } from './report.ts'
import type { RequestHooks } from './request-hooks.ts'
import type { Route } from './route.ts'

type Deps = Application['deps']

/** Writes one line for each request of a route. */
export interface RequestLog {
  /** `refused` is the problem of an answer that is a refusal. */
  answered(ctx: Context, request: Logged, refused: Problem | undefined): void
  refused(ctx: Context, request: Logged, problem: Problem): void
}

export interface Logged extends Reported {
  /** When the request arrived, by `performance.now()`. */
  arrivedAt: number
}

export function requestLogOf(route: Route, deps: Deps, hooks: RequestHooks): RequestLog {
  // An outage or a full queue can refuse thousands of requests in a second.
  const logThrottled = createThrottledLog(({ level, ...line }: { level: 'info' | 'warn' }) =>
    deps.log[level](line, 'refused'),
  )
  // Health checks arrive every few seconds.
  const level = route.host === 'any' ? 'debug' : 'info'

  function lineOf(ctx: Context, { requestId, tenant, arrivedAt }: Logged) {
    const ms = Math.round((performance.now() - arrivedAt) * 10) / 10
    const { operation } = route
    return { requestId, operation, tenantId: tenant?.id, status: ctx.status, ms, address: hooks.addressOf(ctx) }
  }

  return {
    answered(ctx, request, refused) {
      if (!deps.log.isLevelEnabled(level)) return
      const line = lineOf(ctx, request)
      deps.log[level](refused ? { ...line, problem: refused.code, reason: describeRefusal(refused) } : line, 'answered')
    },
    refused(ctx, request, problem) {
      const { code, cause } = problem
      const fields = { ...lineOf(ctx, request), problem: code, reason: describeRefusal(problem) }
      const isClientError = problem.status < 500
      // An error of the client needs no stack.
      const reason = isClientError ? { cause: withoutParameters(reasonOf(cause)) } : { err: cause }
      const line = cause ? { ...fields, ...reason } : fields
      // A flood does not fill the log: metrics and events count it.
      if (problem.problem === 'too_many_requests') deps.log.debug(line, 'refused')
      else if (isClientError) deps.log.info(line, 'refused')
      else if (cause) logThrottled(code, { level: 'warn', ...line })
      else if (problem.problem === 'service_unavailable') logThrottled(fields.reason, { level: 'info', ...line })
      else deps.log.info(line, 'refused')
    },
  }
}

/** Makes the log of a request. Call it only to log, because most requests log nothing else. */
export function logOf({ operation }: Route, { log }: Deps, { requestId, tenant }: Reported): Log {
  return log.child({ requestId, operation, ...(tenant ? { tenantId: tenant.id } : {}) })
}

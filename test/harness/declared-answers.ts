import type Koa from 'koa'
import { oauthErrorOf, oauthStatusOf, problemsOf } from '../../api/http/problems.ts'
import type { Route } from '../../api/http/route.ts'
import { routes } from '../../api/routes.ts'
import { Problem } from '../../shared/errors/errors.ts'

const byName = new Map(routes.map((route) => [route.operation, declaredBy(route)]))

/**
 * Checks the answers of an app. An answer that its route does not declare becomes a 500 with this message, and is added to the
 * returned list, because the reference would be wrong.
 */
export function holdToDeclarations(app: Koa): string[] {
  const undeclared: string[] = []
  app.middleware.unshift(async (ctx, next) => {
    await next()
    const declared = byName.get(ctx.routerName)
    const answer = answerOf(ctx)
    if (!declared || declared.has(answer)) return
    const message = `${ctx.routerName} answered ${answer}, which it does not declare`
    undeclared.push(message)
    ctx.status = 500
    ctx.body = message
  })
  return undeclared
}

/** Returns the status, with the code of a refusal in JSON. */
function answerOf({ status, body }: Koa.Context): string {
  if (status < 400 || typeof body !== 'object' || body === null) return String(status)
  if ('error' in body) return `${status} ${body.error}`
  return 'code' in body ? `${status} ${body.code}` : String(status)
}

function successStatuses({ status, representations = {} }: Route): number[] {
  const { statuses = {}, etag, ranges } = representations
  return [status, ...Object.keys(statuses).map(Number), ...(etag ? [304] : []), ...(ranges ? [206] : [])]
}

function declaredBy(route: Route): Set<string> {
  const refusals = [...problemsOf(route)].flatMap((name) => {
    const problem = new Problem(name)
    if (!route.oauthErrors) return [String(problem.status), `${problem.status} ${problem.code}`]
    const page = route.problemPage ? [String(problem.status)] : []
    return [...page, `${oauthStatusOf(name, route)} ${oauthErrorOf(problem, route)}`]
  })
  return new Set([...successStatuses(route).map(String), ...refusals])
}

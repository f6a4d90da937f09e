import type { Context } from 'koa'
import type { Problem } from '../../shared/errors/errors.ts'
import { descriptionOf, oauthErrorOf, setHeaders, writeProblem } from './problems.ts'
import { handlerMedia, jsonMedia } from './representations/media.ts'
import { negotiatorOf } from './representations/negotiate.ts'
import type { ProblemPageRequest, Route } from './route.ts'

/** Chooses the page for browsers and for clients that accept anything. */
const choose = negotiatorOf([handlerMedia('text/html'), jsonMedia, handlerMedia('text/plain')], {})

/** Writes a problem. For a route that people open in a browser it is a page, or JSON or text if Accept prefers it. */
export function writeRefusal(ctx: Context, problem: Problem, route: Route, request: ProblemPageRequest): void {
  if (!route.problemPage) {
    writeProblem(ctx, problem, route)
    return
  }
  const { type } = choose(ctx.headers).media
  if (type === 'text/html') {
    const { body, status = problem.status, headers } = route.problemPage(problem, request)
    ctx.status = status
    setHeaders(ctx, problem)
    ctx.set(headers)
    ctx.type = type
    ctx.body = body
  } else {
    writeProblem(ctx, problem, route)
    if (type === 'text/plain') writeText(ctx, problem, route)
  }
  ctx.vary('Accept')
}

function writeText(ctx: Context, problem: Problem, route: Route): void {
  ctx.type = 'text/plain'
  ctx.body = `${route.oauthErrors ? oauthErrorOf(problem, route) : problem.code}: ${descriptionOf(problem)}\n`
}

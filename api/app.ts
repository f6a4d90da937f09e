import Koa from 'koa'
import { Problem, type ProblemDetail } from '../shared/errors/errors.ts'
import { isText } from '../shared/formats/lossless-json.ts'
import { newId } from '../shared/ids.ts'
import { reasonOf } from '../shared/process/dependency.ts'
import { authenticateWith } from './access/authenticate.ts'
import { clientAddressOf } from './access/client-address.ts'
import { createLimits } from './access/limits.ts'
import { findKnownTenant, findLastTenant, findTenantByHost, refuseHost, requireChangeable } from './access/tenant.ts'
import { goneView, readViewPath } from './access/views.ts'
import type { Deps } from './deps.ts'
import { createAdmission, defaultLimits } from './http/admission.ts'
import { apiVersion } from './http/api-version.ts'
import { createAreas } from './http/areas.ts'
import { createCapacity } from './http/capacity.ts'
import { drainRequests } from './http/drain.ts'
import { mount } from './http/mount.ts'
import { writeProblem } from './http/problems.ts'
import { corsOf } from './http/representations/cors.ts'
import type { RequestHooks } from './http/request-hooks.ts'
import { createResponseCache } from './http/response-cache.ts'
import type { Route } from './http/route.ts'
import { createUnknownOperation, methodNotAllowed } from './http/unknown-operation.ts'
import { findExternalToken } from './issuance/external-tokens/find-external-token.ts'
import { claimKey } from './operations/idempotency/claim.ts'
import { claimFormKey } from './operations/idempotency/claim-form.ts'
import { bindDeps, bindReads } from './process/bind-deps.ts'
import { routes } from './routes.ts'

/** Creates the API. It does no I/O: the caller listens on a port, and opens and closes what `deps` holds. */
export function createApp(deps: Deps): Koa {
  const app = new Koa()
  const hooks: RequestHooks = {
    authenticate: authenticateWith(findExternalToken),
    bind: bindDeps,
    bindReads,
    findTenant: findTenantByHost,
    findKnownTenant,
    findLastTenant,
    refuseHost,
    goneView,
    requireChangeable,
    claimKey,
    claimFormKey,
    addressOf: (ctx) => clientAddressOf(ctx, deps.config.trustedProxies),
    ...createLimits(deps),
  }
  app.on('error', (error: Error) => {
    if (isClientError(error)) deps.log.debug({ reason: reasonOf(error) }, 'client connection aborted')
    else deps.log.warn({ err: error }, 'connection failed')
  })
  const responseCache = createResponseCache(deps, hooks)
  const mounting = { deps, hooks, responseCache, admission: createAdmission(defaultLimits, createCapacity()) }
  const areas = createAreas(routes, (route, ofArea) => mount(route, mounting, readerOf(route, ofArea)))
  const unknownOperation = createUnknownOperation(routes)
  app.use((ctx, next) => {
    readViewPath(ctx)
    return next()
  })
  app.use(responseCache.serve)
  app.use(drainRequests())
  app.use(async (ctx, next) => {
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
    ctx.res.setHeader('X-Api-Version', apiVersion)
    if (!isTarget(ctx.req.url)) refuse(ctx, new Problem('bad_request', { details: [noTarget] }))
    else if (deps.lifecycle.phase === 'starting' && !ctx.path.startsWith('/health/'))
      refuse(ctx, starting(), areas.routeAt(ctx.path))
    else if (isDecodable(ctx.path)) await next()
    else refuse(ctx, new Problem('bad_request', { details: [undecodable] }))
    // Also applies to a response that was in progress when the process began to stop: no request follows it on this connection.
    if (deps.lifecycle.phase === 'stopping') ctx.set('Connection', 'close')
  })
  app.use(areas.serve)
  app.use((ctx) => {
    const allowed = areas.methodsAt(ctx.path)
    if (allowed.length > 0) ctx.set('Allow', allowed.join(', '))
    const problem = allowed.length > 0 ? methodNotAllowed(ctx.method, allowed) : unknownOperation(ctx.method, ctx.path)
    refuse(ctx, problem, areas.routeAt(ctx.path))
  })
  return app
}

/** Returns the GET route of the resource that a PUT replaces. */
function readerOf({ method, path }: Route, ofArea: readonly Route[]): Route | undefined {
  return method === 'PUT' ? ofArea.find((each) => each.method === 'GET' && each.path === path) : undefined
}

const starting = () =>
  new Problem('service_unavailable', {
    message: 'The service is starting. Try again in a few seconds.',
    retryAfterSeconds: 2,
  })

/** Answers a request that no route answers, in the error format of the route that has its path. */
function refuse(ctx: Koa.Context, problem: Problem, route?: Route): void {
  ctx.set({ ...(route && corsOf(route)), 'X-Request-Id': newId() })
  writeProblem(ctx, problem, route)
}

/** Whether the client caused the error: HTTP that Node cannot parse, or a connection that ended before the request or the response. */
function isClientError(error: Error): boolean {
  return /^(HPE_\w+|ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test(reasonOf(error))
}

const noTarget: ProblemDetail = { msg: 'Must be a path or an absolute URL', param: 'path', location: 'params' }

/** RFC 9112, section 3.2: the request target is a path, or an absolute URL as for a proxy. */
function isTarget(url = ''): boolean {
  return url.startsWith('/') || URL.canParse(url)
}

const undecodable: ProblemDetail = { msg: 'Must be percent-encoded text', param: 'path', location: 'params' }

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return isText(path)
  try {
    return isText(decodeURIComponent(path))
  } catch {
    return false
  }
}

import type Router from '@koa/router'
import Koa from 'koa'
import { reasonOf } from '../shared/dependency.ts'
import { Problem, type ProblemDetail } from '../shared/errors.ts'
import { isText } from '../shared/formats/lossless-json.ts'
import { newId } from '../shared/ids.ts'
import { authenticate } from './access/authenticate.ts'
import { clientAddressOf } from './access/client-address.ts'
import { createLimits } from './access/limits.ts'
import { findKnownTenant, findTenantByHost, refuseHost } from './access/tenant.ts'
import { bindDeps, bindReads } from './bind-deps.ts'
import type { Deps } from './deps.ts'
import { createAdmission } from './http/admission.ts'
import { apiVersion } from './http/api-version.ts'
import { drainRequests } from './http/drain.ts'
import { type Mounting, mount } from './http/mount.ts'
import { writeProblem } from './http/problems.ts'
import type { RequestHooks } from './http/request-hooks.ts'
import { createResponseCache } from './http/response-cache.ts'
import type { Route } from './http/route.ts'
import { routerOf } from './http/router.ts'
import { claimKey } from './operations/idempotency/claim.ts'
import { routes } from './routes.ts'

/** Creates the API. It does no I/O: the caller listens on a port, and opens and closes what `deps` holds. */
export function createApp(deps: Deps): Koa {
  const app = new Koa()
  const hooks: RequestHooks = {
    authenticate,
    bind: bindDeps,
    bindReads,
    findTenant: findTenantByHost,
    findKnownTenant,
    refuseHost,
    claimKey,
    addressOf: (ctx) => clientAddressOf(ctx, deps.config.trustedProxies),
    ...createLimits(deps),
  }
  app.on('error', (error: Error) => {
    if (isClientFault(error)) deps.log.debug({ reason: reasonOf(error) }, 'client connection aborted')
    else deps.log.warn({ err: error }, 'connection failed')
  })
  const responseCache = createResponseCache(deps, hooks)
  const mounting = { deps, hooks, responseCache, admission: createAdmission() }
  const areas = new Map(
    [...Map.groupBy(routes, ({ path }) => areaOf(path))].map(([area, ofArea]) => [area, createArea(ofArea, mounting)]),
  )
  app.use(responseCache.serve)
  app.use(drainRequests())
  app.use(async (ctx, next) => {
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
    ctx.res.setHeader('X-Api-Version', apiVersion)
    if (!isTarget(ctx.req.url)) refuse(ctx, new Problem('bad_request', { details: [noTarget] }))
    else if (deps.lifecycle.phase === 'starting' && !ctx.path.startsWith('/health/')) refuse(ctx, starting())
    else if (isDecodable(ctx.path)) await next()
    else refuse(ctx, new Problem('bad_request', { details: [undecodable] }))
    // Also applies to a response that was in progress when the process began to stop: no request follows it on this connection.
    if (deps.lifecycle.phase === 'stopping') ctx.set('Connection', 'close')
  })
  app.use((ctx, next) => {
    let serve = next
    for (const area of areasAt(ctx.path)) {
      const after = serve
      serve = () => area.serve(ctx, after)
    }
    return serve()
  })
  app.use((ctx) => {
    const allowed = methodsAt(ctx)
    if (allowed.length > 0) ctx.set('Allow', allowed.join(', '))
    refuse(ctx, new Problem(allowed.length > 0 ? 'method_not_allowed' : 'not_found'))
  })

  /** Returns the areas whose routes can match a path. The last one has the longest name. A router that has no match calls the next. */
  function areasAt(path: string): Area[] {
    const found: Area[] = []
    for (let count = 1; count <= maxAreaNames; count++) {
      const name = firstNames(path, count)
      const area = areas.get(name)
      if (area) found.push(area)
      if (name.length === path.length) break
    }
    return found
  }

  function methodsAt({ path }: Koa.Context): string[] {
    const layers = areasAt(path).flatMap(({ router }) => router.match(path, '').path)
    return [...new Set(layers.flatMap(({ methods }) => methods))]
  }
  return app
}

interface Area {
  router: Router
  serve: Koa.Middleware
}

const maxAreaNames = 3

/**
 * Returns the area of a route: the names of its path before the first parameter, at most three. A router tries the paths of all its
 * routes, so each area has a separate router.
 */
function areaOf(routePath: string): string {
  const literal = routePath.replace(/\/[:*].*$/, '')
  return firstNames(literal, maxAreaNames)
}

function firstNames(path: string, count: number): string {
  let end = 0
  for (let name = 0; name < count; name++) {
    end = path.indexOf('/', end + 1)
    if (end === -1) return path
  }
  return path.slice(0, end)
}

function createArea(ofArea: readonly Route[], mounting: Mounting): Area {
  const router = routerOf(ofArea, (route) => mount(route, mounting, readerOf(route, ofArea)))
  // Boundary: the router itself adds to the context what its type requires.
  return { router, serve: router.routes() as unknown as Koa.Middleware }
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

/** Answers a request that matches no route. */
function refuse(ctx: Koa.Context, problem: Problem): void {
  ctx.set('X-Request-Id', newId())
  writeProblem(ctx, problem, undefined)
}

/** Whether the client caused the error: HTTP that Node cannot parse, or a connection that ended before the request or the response. */
function isClientFault(error: Error): boolean {
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

import type Router from '@koa/router'
import Koa from 'koa'
import { reasonOf } from '../shared/dependency.ts'
import { Problem, type ProblemDetail } from '../shared/errors.ts'
import { newId } from '../shared/ids.ts'
import { authenticate } from './access/authenticate.ts'
import { clientAddressOf } from './access/client-address.ts'
import { createLimits } from './access/limits.ts'
import { findKnownTenant, findTenantByHost, refuseHost } from './access/tenant.ts'
import { bindDeps } from './bind-deps.ts'
import type { Deps } from './deps.ts'
import { createAdmission } from './http/admission.ts'
import { apiVersion } from './http/api-version.ts'
import { drainRequests } from './http/drain.ts'
import { isText } from './http/json.ts'
import { type Mounting, mount } from './http/mount.ts'
import { writeProblem } from './http/problems.ts'
import type { RequestHooks } from './http/request-hooks.ts'
import { createResponseCache } from './http/response-cache.ts'
import type { Route } from './http/route.ts'
import { routerOf } from './http/router.ts'
import { routes } from './routes.ts'

/** The API, without I/O of its own: whoever calls this listens, and owns what `deps` holds. */
export function createApp(deps: Deps): Koa {
  const app = new Koa()
  const door: RequestHooks = {
    authenticate,
    bind: bindDeps,
    findTenant: findTenantByHost,
    findKnownTenant,
    refuseHost,
    addressOf: (ctx) => clientAddressOf(ctx, deps.config.trustedProxies),
    ...createLimits(deps),
  }
  app.on('error', (error: Error) => {
    if (isClientFault(error)) deps.log.debug({ reason: reasonOf(error) }, 'a client broke its connection')
    else deps.log.warn({ err: error }, 'a connection failed')
  })
  const shelf = createResponseCache(deps, door)
  const mounting = { deps, door, shelf, admission: createAdmission() }
  const areas = new Map(
    [...Map.groupBy(routes, ({ path }) => areaOf(path))].map(([area, ofArea]) => [area, createArea(ofArea, mounting)]),
  )
  app.use(shelf.serve)
  app.use(drainRequests())
  app.use(async (ctx, next) => {
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
    ctx.res.setHeader('X-Api-Version', apiVersion)
    if (!isTarget(ctx.req.url)) refuse(ctx, new Problem('bad_request', { details: [noTarget] }))
    else if (deps.life.phase === 'starting' && !ctx.path.startsWith('/health/')) refuse(ctx, starting())
    else if (isDecodable(ctx.path)) await next()
    else refuse(ctx, new Problem('bad_request', { details: [undecodable] }))
    // Of an answer that was on its way when the stopping began as well: no request follows it on this connection.
    if (deps.life.phase === 'stopping') ctx.set('Connection', 'close')
  })
  app.use((ctx, next) => areaAt(ctx.path)?.serve(ctx, next) ?? next())
  app.use((ctx) => {
    const allowed = methodsAt(ctx)
    if (allowed.length > 0) ctx.set('Allow', allowed.join(', '))
    refuse(ctx, new Problem(allowed.length > 0 ? 'method_not_allowed' : 'not_found'))
  })

  function areaAt(path: string) {
    return areas.get(areaOf(path)) ?? areas.get(wideAreaOf(path))
  }

  function methodsAt({ path }: Koa.Context): string[] {
    const layers = areaAt(path)?.router.match(path, '').path ?? []
    return [...new Set(layers.flatMap((layer) => layer.methods))]
  }
  return app
}

/**
 * A router tries the paths of all its routes, so that each area has one of its own: the first two names of the path, or the first
 * where a parameter follows it.
 */
function areaOf(path: string): string {
  return path.split('/', 3).filter(isName).join('/')
}

function wideAreaOf(path: string): string {
  return path.split('/', 2).join('/')
}

function isName(segment: string): boolean {
  return !/^[:*]/.test(segment)
}

function createArea(ofArea: readonly Route[], mounting: Mounting): { router: Router; serve: Koa.Middleware } {
  const router = routerOf(ofArea, (route) => mount(route, mounting, readerOf(route, ofArea)))
  // Boundary: what it needs of the context it adds itself.
  return { router, serve: router.routes() as unknown as Koa.Middleware }
}

/** The route that shows what a PUT replaces. */
function readerOf({ method, path }: Route, ofArea: readonly Route[]): Route | undefined {
  return method === 'PUT' ? ofArea.find((each) => each.method === 'GET' && each.path === path) : undefined
}

const starting = () => new Problem('service_unavailable', { message: 'The service is starting', retryAfterSeconds: 2 })

/** For requests that reach no route. */
function refuse(ctx: Koa.Context, problem: Problem): void {
  ctx.set('X-Request-Id', newId())
  writeProblem(ctx, problem, undefined)
}

/** HTTP that Node cannot parse, and connections that end before the request or the answer does. */
function isClientFault(error: Error): boolean {
  return /^(HPE_\w+|ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test(reasonOf(error))
}

const noTarget: ProblemDetail = { msg: 'Not a path, nor a whole address', param: 'path', location: 'params' }

/** RFC 9112, section 3.2: the path, or the whole address as for a proxy. */
function isTarget(url = ''): boolean {
  return url.startsWith('/') || URL.canParse(url)
}

const undecodable: ProblemDetail = { msg: 'Not percent-encoded text', param: 'path', location: 'params' }

function isDecodable(path: string): boolean {
  try {
    return isText(decodeURIComponent(path))
  } catch {
    return false
  }
}

import type Router from '@koa/router'
import type Koa from 'koa'
import type { Route } from './route.ts'
import { routerOf } from './router.ts'

/** Routes whose paths begin with the same names. */
interface Area {
  router: Router
  serve: Koa.Middleware
}

export interface Areas {
  /** Serves a request with the route of its path and method. Calls `next` if there is none. */
  serve: Koa.Middleware
  /** Returns the methods of the routes at a path. */
  methodsAt(path: string): string[]
  /** Returns a route at a path, of any method. The routes at one path have the same error format. */
  routeAt(path: string): Route | undefined
}

/** Creates one router for each area. A router tries the paths of all its routes, so that one for all routes would be slow. */
export function createAreas(
  routes: readonly Route[],
  mounted: (route: Route, ofArea: readonly Route[]) => (ctx: Koa.Context) => Promise<void>,
): Areas {
  const areas = new Map<string, Area>()
  for (const [name, ofArea] of Map.groupBy(routes, ({ path }) => areaOf(path))) {
    const router = routerOf(ofArea, (route) => mounted(route, ofArea))
    // Boundary: the router itself adds to the context what its type requires.
    areas.set(name, { router, serve: router.routes() as unknown as Koa.Middleware })
  }

  /**
   * Returns the areas whose routes can match a path. The last one has the longest name. An area with one name, such as the pages of the
   * console, has only paths that no other area has.
   */
  function areasAt(path: string): Area[] {
    const short = areas.get(firstNames(path, 2))
    const long = areas.get(firstNames(path, 3))
    if (!short && !long) return [areas.get(firstNames(path, 1)) ?? []].flat()
    return [short, long === short ? undefined : long].filter((area) => area !== undefined)
  }

  const layersAt = (path: string) => areasAt(path).flatMap(({ router }) => router.match(path, '').path)
  const byOperation = new Map(routes.map((route) => [route.operation, route]))

  return {
    serve(ctx, next) {
      let serve = next
      for (const area of areasAt(ctx.path)) {
        const shorter = serve
        serve = () => area.serve(ctx, shorter)
      }
      return serve()
    },
    methodsAt: (path) => [...new Set(layersAt(path).flatMap(({ methods }) => methods))],
    // The answer to a preflight request has no name.
    routeAt: (path) =>
      layersAt(path)
        .map(({ name }) => byOperation.get(name ?? ''))
        .find((route) => route !== undefined),
  }
}

/** Returns the area of a route: the names of its path before the first parameter, at most three. */
function areaOf(routePath: string): string {
  const literal = routePath.replace(/\/[:*].*$/, '')
  return firstNames(literal, 3)
}

function firstNames(path: string, count: number): string {
  let end = 0
  for (let name = 0; name < count; name++) {
    end = path.indexOf('/', end + 1)
    if (end === -1) return path
  }
  return path.slice(0, end)
}

import Router from '@koa/router'
import type Koa from 'koa'
import { newId } from '../../shared/ids.ts'
import { preflightHeaders } from './representations/cors.ts'
import type { Route } from './route.ts'

/** Routes requests, and answers preflight requests to routes that allow every origin. */
export function routerOf(
  routes: readonly Route[],
  mounted: (route: Route) => (ctx: Koa.Context) => Promise<void>,
): Router {
  const router = new Router({ sensitive: true, strict: true })
  for (const route of inMatchingOrder(routes)) {
    router.register(route.path, [route.method.toLowerCase()], mounted(route), { name: route.operation })
  }
  const open = routes.filter(({ representations }) => representations?.cors)
  for (const [path, ofPath] of Map.groupBy(open, ({ path }) => path)) {
    const headers = preflightHeaders(ofPath.map(({ method }) => method))
    router.register(path, ['options'], (ctx) => {
      ctx.set({ ...headers, 'X-Request-Id': newId() })
      ctx.status = 204
    })
  }
  return router
}

/** Sorts literal paths before parameters: `/v1/webhooks/jwks` before `/v1/webhooks/:webhookId`. */
function inMatchingOrder<Each extends { path: string }>(unordered: readonly Each[]): Each[] {
  const key = ({ path }: Each) => path.replaceAll(/[:*]\w+/g, '\uffff')
  return [...unordered].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

import Router from '@koa/router'
import Koa from 'koa'
import { Problem } from '../shared/errors.ts'
import { newId } from '../shared/ids.ts'
import type { Deps } from './deps.ts'
import { mount } from './http/mount.ts'
import { writeProblem } from './http/problems.ts'
import { routes } from './routes.ts'

/** The API, without I/O of its own: whoever calls this listens, and owns what `deps` holds. */
export function createApp(deps: Deps): Koa {
  const app = new Koa()
  app.on('error', (err) => deps.log.warn({ err }, 'a connection failed'))
  const router = new Router({ sensitive: true, strict: true })
  for (const route of inMatchingOrder(routes)) {
    router.register(route.path, [route.method.toLowerCase()], mount(route, deps), { name: route.operation })
  }
  app.use(async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.set('X-Api-Version', deps.config.version)
    await next()
  })
  app.use(router.routes())
  app.use((ctx) => {
    ctx.set('X-Request-Id', newId())
    const allowed = methodsAt(ctx.path)
    if (allowed.length > 0) ctx.set('Allow', allowed.join(', '))
    writeProblem(ctx, new Problem(allowed.length > 0 ? 'method_not_allowed' : 'not_found'), undefined)
  })

  function methodsAt(path: string): string[] {
    return [...new Set(router.match(path, '').path.flatMap((layer) => layer.methods))]
  }
  return app
}

/** Literal paths before parameters: `/v1/webhooks/jwks` before `/v1/webhooks/:webhookId`. */
function inMatchingOrder<Each extends { path: string }>(unordered: readonly Each[]): Each[] {
  const key = ({ path }: Each) => path.replaceAll(/:\w+/g, '\uffff')
  return [...unordered].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

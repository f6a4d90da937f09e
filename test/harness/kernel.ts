import { createServer } from 'node:http'
import Koa from 'koa'
import { request } from 'undici'
import type { Tenant } from '../../api/access/subjects.ts'
import type { Deps } from '../../api/deps.ts'
import { type Admission, createAdmission } from '../../api/http/admission.ts'
import { type DrainLimits, drainRequests } from '../../api/http/drain.ts'
import { createLargeAnswers, type LargeAnswerLimits } from '../../api/http/large-answers.ts'
import { mount } from '../../api/http/mount.ts'
import type { RequestHooks } from '../../api/http/request-hooks.ts'
import { createResponseCache } from '../../api/http/response-cache.ts'
import { anyone, type Route } from '../../api/http/route.ts'
import { routerOf } from '../../api/http/router.ts'
import { type BodyLimits, createBodyWatch } from '../../api/http/slow-bodies.ts'
import type { Lifecycle } from '../../api/process/lifecycle.ts'
import { createLog, type Log } from '../../shared/log/log.ts'
import { keepAlive } from './keep-alive.ts'

export interface Heard {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  text: string
}

/** Routes of a test, for any host and anyone, under the kernel alone: over HTTP, without database, Redis and tenants. */
export interface Kernel {
  origin: string
  lifecycle: Lifecycle
  ask(path: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST'): Promise<Heard>
  [Symbol.asyncDispose](): Promise<void>
}

export interface KernelOptions {
  bodies?: BodyLimits
  drain?: DrainLimits
  admission?: Admission
  /** The default is longer than a request takes on any machine. */
  deadlineMs?: number
  largeAnswers?: Partial<LargeAnswerLimits>
  log?: Log
  /** Routes with events need the clock and the analytics. */
  clock?: Deps['clock']
  analytics?: Deps['analytics']
}

/** Returns the members of a route with GET that do not depend on its answer. */
export function readAt(path: string) {
  const named = { operation: path, summary: path, tag: 'Test', path }
  return { ...named, method: 'GET', host: 'any', access: anyone, status: 200 } as const
}

const silent = createLog({ process: 'test', level: 'silent', pretty: false })

export async function startKernel(
  routes: readonly Route[],
  others: Partial<RequestHooks> = {},
  {
    drain,
    admission = createAdmission(),
    deadlineMs = 60_000,
    largeAnswers: limits,
    bodies,
    log = silent,
    ...own
  }: KernelOptions = {},
): Promise<Kernel> {
  const clock = { now: () => new Date() }
  // Boundary: for routes without events the kernel needs no more, and only the id of the tenant.
  const lifecycle: Lifecycle = { phase: 'serving' }
  const largeAnswers = createLargeAnswers(limits)
  const config = { credentialDeadlineMs: deadlineMs }
  const deps = { log, clock, config, lifecycle, largeAnswers, ...own } as Deps
  const tenant = { id: 'tenant', kind: 'tenant' } as unknown as Tenant
  const findTenant = { findTenant: async () => tenant, findKnownTenant: () => tenant, findLastTenant: () => tenant }
  const hooks = {
    ...findTenant,
    bind: (unbound: Deps) => unbound,
    addressOf: () => '127.0.0.1',
    admit: async () => {},
    requireChangeable: () => {},
    count: async () => {},
    countWrong: async () => undefined,
    ...others,
  } as unknown as RequestHooks
  const responseCache = createResponseCache(deps, hooks)
  const app = new Koa()
  app.on('error', () => {})
  app.use(responseCache.serve)
  app.use(drainRequests(drain))
  // Boundary: the kernel adds what it needs of the context.
  app.use(
    routerOf(routes, (route) =>
      mount(route, { deps, hooks, responseCache, admission }, undefined),
    ).routes() as unknown as Koa.Middleware,
  )
  const watchBody = createBodyWatch(bodies)
  const handle = app.callback()
  const server = createServer(keepAlive, (request, response) => {
    watchBody(request)
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    origin,
    lifecycle,
    async ask(path, headers = {}, method = 'GET') {
      const { statusCode, headers: got, body } = await request(origin + path, { method, headers })
      const bytes = Buffer.from(await body.arrayBuffer())
      return { status: statusCode, headers: got, bytes, text: bytes.toString() }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

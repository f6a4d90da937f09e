import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepAlive } from '../harness/keep-alive.ts'

export interface Proxy {
  origin: string
  /** The number of backends that receive requests. */
  ready(): number
  /** Requests that each backend answered, in the order of the backends. */
  answered(): number[]
  /** Requests that the proxy could not forward. The client received 502. */
  failures: string[]
  [Symbol.asyncDispose](): Promise<void>
}

const checkEveryMs = 200

interface Backend {
  origin: string
  isReady: boolean
  answered: number
  agent: Agent
}

/**
 * A load balancer in front of two web processes. It sends requests round robin to the backends whose last health check
 * succeeded, over kept connections. If no backend is healthy, it uses those that were healthy last (fail open). It does
 * not repeat a failed request. Node's agent does not reuse a connection after `Connection: close`.
 */
export async function startProxy(origins: string[]): Promise<Proxy> {
  const backends = origins.map((origin) => newBackend(origin))
  const failures: string[] = []
  let count = 0
  let ready: Backend[] = []
  const server = createServer(keepAlive, (incoming, answer) => {
    const now = backends.filter(({ isReady }) => isReady)
    if (now.length > 0) ready = now
    const backend = ready[count++ % Math.max(1, ready.length)]
    if (backend) passOn(backend, incoming, answer, failures)
    else fail(answer, failures, 'no backend was ever ready')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stopped = new AbortController()
  const checking = backends.map((backend) => checkHealth(backend, stopped.signal))
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    ready: () => backends.filter(({ isReady }) => isReady).length,
    answered: () => backends.map(({ answered }) => answered),
    failures,
    async [Symbol.asyncDispose]() {
      stopped.abort()
      await Promise.all(checking)
      server.closeAllConnections()
      server.close()
      for (const { agent } of backends) agent.destroy()
    },
  }
}

function newBackend(origin: string): Backend {
  return { origin, isReady: false, answered: 0, agent: new Agent({ keepAlive: true, maxSockets: 64 }) }
}

function passOn(backend: Backend, incoming: IncomingMessage, answer: ServerResponse, failures: string[]): void {
  const { method, headers } = incoming
  const options = { agent: backend.agent, method, headers: { ...headers, connection: 'keep-alive' } }
  const outgoing = request(backend.origin + incoming.url, options, (response) => {
    backend.answered++
    const { connection, 'keep-alive': _, ...kept } = response.headers
    answer.writeHead(response.statusCode ?? 502, kept)
    response.pipe(answer)
    response.on('error', (error) => failures.push(`cut: ${error.message}`))
  })
  outgoing.on('error', (error) => fail(answer, failures, `${method} ${incoming.url}: ${error.message}`))
  incoming.pipe(outgoing)
}

function fail(answer: ServerResponse, failures: string[], why: string): void {
  failures.push(why)
  if (!answer.headersSent) answer.writeHead(502)
  answer.end()
}

/**
 * Checks the health of a backend over the kept connections. Two checks in a row without an answer make a backend
 * unhealthy, as in real proxies. So does one answer that it is not ready.
 */
async function checkHealth(backend: Backend, signal: AbortSignal): Promise<void> {
  let missed = 0
  while (!signal.aborted) {
    const status = await healthOf(backend)
    missed = status === undefined ? missed + 1 : 0
    backend.isReady = status === undefined ? backend.isReady && missed < 2 : status === 200
    await sleep(checkEveryMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Undefined if no answer arrives. */
function healthOf({ origin, agent }: Backend): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const outgoing = request(`${origin}/health/ready`, { agent, timeout: 2_000 }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  outgoing.on('error', () => resolve(undefined))
  outgoing.on('timeout', () => outgoing.destroy(new Error('late')))
  outgoing.end()
  return promise
}

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Proxy {
  origin: string
  /** Backends that requests go to at the moment. */
  ready(): number
  /** Requests that each backend answered, in the order of the backends. */
  answered(): number[]
  /** What it could not pass on, and told its client as 502. */
  failures: string[]
  [Symbol.asyncDispose](): Promise<void>
}

const lookEveryMs = 200

interface Backend {
  origin: string
  isReady: boolean
  answered: number
  agent: Agent
}

/**
 * A proxy as people put in front of two web processes: in turn, over connections that it keeps, to those whose last health
 * check went well; where there is none, as on a machine that stands still for a moment, to those that were ready last, as load
 * balancers do that fail open. A request that fails is not tried again. Node's agent uses no connection again after `Connection: close`.
 */
export async function startProxy(origins: string[]): Promise<Proxy> {
  const backends = origins.map((origin) => newBackend(origin))
  const failures: string[] = []
  let turn = 0
  let ready: Backend[] = []
  const server = createServer((incoming, answer) => {
    const now = backends.filter(({ isReady }) => isReady)
    if (now.length > 0) ready = now
    const backend = ready[turn++ % Math.max(1, ready.length)]
    if (backend) passOn(backend, incoming, answer, failures)
    else fail(answer, failures, 'no backend was ever ready')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stopped = new AbortController()
  const looking = backends.map((backend) => look(backend, stopped.signal))
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    ready: () => backends.filter(({ isReady }) => isReady).length,
    answered: () => backends.map(({ answered }) => answered),
    failures,
    async [Symbol.asyncDispose]() {
      stopped.abort()
      await Promise.all(looking)
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
 * Health checks go over the kept connections as well. As proxies do, it takes two in a row that did not come to take a backend
 * out; one that says itself that it is not ready is out.
 */
async function look(backend: Backend, signal: AbortSignal): Promise<void> {
  let missed = 0
  while (!signal.aborted) {
    const status = await healthOf(backend)
    missed = status === undefined ? missed + 1 : 0
    backend.isReady = status === undefined ? backend.isReady && missed < 2 : status === 200
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Undefined when no answer comes. */
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

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry, register } from 'prom-client'
import type { Log } from '../log/log.ts'
import { Misconfigured } from '../process/dependency.ts'
import { isReady } from './process.ts'

/** The sources of the metrics of a process. */
export interface MetricsSources {
  /** Updates the metrics of this process. Called before each response. */
  measure(): Promise<void>
  /** Returns the metrics of the whole service, or undefined if another process reports them. */
  ofService?(): Promise<Registry | undefined>
}

export interface MetricsServer {
  close(): void
}

interface Address {
  host: string
  port: number
}

/**
 * Serves Prometheus text at `/metrics`, and the health of the process at `/health/live` and `/health/ready`, on a separate port, which must
 * not be public. Throws Misconfigured if it cannot listen.
 */
export async function serveMetrics(address: Address, sources: MetricsSources): Promise<MetricsServer> {
  const server = createMetricsServer(sources)
  try {
    await listen(server, address)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const { host, port } = address
    throw new Misconfigured(`The process cannot listen on ${host}:${port} (OPS_HOST, OPS_PORT): ${reason}`)
  }
  return { close: () => void server.close() }
}

/**
 * Does the same for a process that also works without metrics. If the port is in use, for example by the process that this one
 * replaces, it logs that once and retries until the port is free. Port 0 is no port.
 */
export function serveMetricsOnceFree(
  address: Address,
  setting: string,
  sources: MetricsSources,
  { log, retryMs = 5_000 }: { log: Log; retryMs?: number },
): MetricsServer {
  const stopped = new AbortController()
  const server = createMetricsServer(sources)
  const open = async () => {
    for (let isLogged = false; !stopped.signal.aborted; isLogged = true) {
      try {
        return await listen(server, address)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (!isLogged) log.warn({ ...address, setting, reason }, 'metrics port cannot be used')
      }
      await sleep(retryMs, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined)
    }
  }
  if (address.port !== 0) void open()
  return {
    close() {
      stopped.abort()
      server.close()
    },
  }
}

function createMetricsServer({ measure, ofService }: MetricsSources): Server {
  return createServer(async (request, response) => {
    if (request.url === '/health/live') return void response.writeHead(200).end()
    if (request.url !== '/metrics' && request.url !== '/health/ready') return void response.writeHead(404).end()
    try {
      if (request.url === '/health/ready') {
        await measure()
        return void response.writeHead((await isReady()) ? 200 : 503).end()
      }
      const [service] = await Promise.all([ofService?.(), measure()])
      const registry = service ? Registry.merge([register, service]) : register
      const text = withoutEmpty(await registry.metrics())
      response.writeHead(200, { 'content-type': register.contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
}

/** Removes metrics without values, which other kinds of processes report. */
function withoutEmpty(text: string): string {
  const metrics = text.split('\n\n').filter((metric) => /^[^#\s]/m.test(metric))
  return `${metrics.join('\n\n').trimEnd()}\n`
}

/** Leaves no listeners behind if it fails, because it may be called again for as long as the process runs. */
async function listen(server: Server, address: Address): Promise<void> {
  const listening = once(server, 'listening') // rejects if an error comes first
  server.listen(address)
  await listening
}

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry, register } from 'prom-client'
import { Misconfigured } from '../dependency.ts'
import type { Log } from '../log.ts'

/** What a process answers at `/metrics`. */
export interface MetricsSources {
  /** Called before each answer; brings this process's figures up to date. */
  measure(): Promise<void>
  /** Figures of the whole service, while this process is the one that tells them; undefined otherwise. */
  ofService?(): Promise<Registry | undefined>
}

export interface MetricsServer {
  close(): void
}

interface Place {
  host: string
  port: number
}

/** Serves Prometheus text at `/metrics` on a port of its own, which is not for the public network. Throws Misconfigured where that cannot be. */
export async function serveMetrics(place: Place, sources: MetricsSources): Promise<MetricsServer> {
  const server = createMetricsServer(sources)
  try {
    await listen(server, place)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Misconfigured(`${place.host}:${place.port} (OPS_HOST, OPS_PORT) cannot be listened on: ${reason}`)
  }
  return { close: () => void server.close() }
}

/**
 * The same for a process that works without: where its port is in use, as by the process that it takes over from, it says so once and
 * listens once the port is free. 0 for no port.
 */
export function serveMetricsOnceFree(
  place: Place,
  name: string,
  sources: MetricsSources,
  { log, retryMs = 5_000 }: { log: Log; retryMs?: number },
): MetricsServer {
  const stopped = new AbortController()
  const server = createMetricsServer(sources)
  const open = async () => {
    for (let isTold = false; !stopped.signal.aborted; isTold = true) {
      try {
        return await listen(server, place)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (!isTold) log.warn({ ...place, setting: name, reason }, 'there are no metrics: their port cannot be used')
      }
      await sleep(retryMs, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined)
    }
  }
  if (place.port !== 0) void open()
  return {
    close() {
      stopped.abort()
      server.close()
    },
  }
}

function createMetricsServer({ measure, ofService }: MetricsSources): Server {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    try {
      const [service] = await Promise.all([ofService?.(), measure()])
      const registry = service ? Registry.merge([register, service]) : register
      const text = withoutEmpty(await registry.metrics())
      response.writeHead(200, { 'content-type': register.contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
}

/** Without those that this process has no figures of: they are another one's. */
function withoutEmpty(text: string): string {
  const metrics = text.split('\n\n').filter((metric) => /^[^#\s]/m.test(metric))
  return `${metrics.join('\n\n').trimEnd()}\n`
}

/** Leaves nothing behind where it fails: it may be tried for as long as the process lives. */
async function listen(server: Server, place: Place): Promise<void> {
  const listening = once(server, 'listening') // fails with an error that comes first
  server.listen(place)
  await listening
}

import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'
import type { Bus } from './jobs/bus.ts'

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const httpDuration = new Histogram({
  name: 'trustwright_http_request_duration_seconds',
  help: 'How long requests took, per operation and status.',
  labelNames: ['operation', 'status'] as const,
  buckets: secondsBuckets,
})

export const jobDuration = new Histogram({
  name: 'trustwright_job_duration_seconds',
  help: 'How long jobs ran, per queue, job and outcome.',
  labelNames: ['queue', 'job', 'outcome'] as const,
  buckets: secondsBuckets,
})

const queueDepth = new Gauge({
  name: 'trustwright_queue_jobs',
  help: 'Jobs on the queues by state.',
  labelNames: ['queue', 'state'] as const,
})

/** Serves Prometheus text at `/metrics` on its own port, which is not for the public network. */
export function serveMetrics(port: number, bus: Bus): Server {
  collectDefaultMetrics({ prefix: 'trustwright_' })
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    await measureQueues(bus)
    response.writeHead(200, { 'content-type': register.contentType }).end(await register.metrics())
  })
  return server.listen(port)
}

async function measureQueues(bus: Bus): Promise<void> {
  queueDepth.reset()
  const depths = await bus.depths().catch(() => ({})) // without Redis there are no depths to tell
  for (const [queue, states] of Object.entries(depths)) {
    for (const [state, count] of Object.entries(states)) queueDepth.set({ queue, state }, count)
  }
}

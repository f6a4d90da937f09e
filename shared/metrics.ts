import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'
import { Misconfigured } from './dependency.ts'
import type { Bus } from './jobs/bus.ts'
import { type Durations, jobLabels, publicationLabels } from './jobs/durations.ts'

export const httpDuration = new Histogram({
  name: 'trustwright_http_request_duration_seconds',
  help: 'How long requests to this process took, per operation and status.',
  labelNames: ['operation', 'status'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

export const limitsHit = new Counter({
  name: 'trustwright_limits_hit_total',
  help: 'Requests to this process that were answered with 429, per limit.',
  labelNames: ['limit'] as const,
})

const queueDepth = new Gauge({
  name: 'trustwright_queue_jobs',
  help: 'Jobs on the queues of the whole service, by state.',
  labelNames: ['queue', 'state'] as const,
})

/**
 * Serves Prometheus text at `/metrics` on its own port, which is not for the public network. What it says of requests is
 * this process's; what it says of queues is the whole service's, the same on every web process. Throws Misconfigured where
 * that cannot be. `measure` is called before each answer, for gauges of its own, and does not fail.
 */
export async function serveMetrics(
  place: { host: string; port: number },
  bus: Bus,
  measure: () => Promise<void>,
): Promise<Server> {
  // The event loop's lag is looked at 20 times a second: by default it is 100, which keeps an idle process busy.
  collectDefaultMetrics({ prefix: 'trustwright_', eventLoopMonitoringPrecision: 50 })
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    await Promise.all([measureQueues(bus), measure()])
    const durations = await Promise.all([
      durationText(bus.durations, { ...ofJobs, labels: jobLabels }),
      durationText(bus.publications, { ...ofPublications, labels: publicationLabels }),
    ])
    const text = (await register.metrics()) + durations.join('')
    response.writeHead(200, { 'content-type': register.contentType }).end(text)
  })
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  server.once('error', ({ message }) =>
    reject(new Misconfigured(`${place.host}:${place.port} (OPS_HOST, OPS_PORT) cannot be listened on: ${message}`)),
  )
  server.listen(place, () => resolve(server))
  return promise
}

async function measureQueues(bus: Bus): Promise<void> {
  queueDepth.reset()
  const depths = await bus.depths().catch(() => ({})) // without Redis there are no depths to tell
  for (const [queue, states] of Object.entries(depths)) {
    for (const [state, count] of Object.entries(states)) queueDepth.set({ queue, state }, count)
  }
}

const ofJobs = {
  name: 'trustwright_job_duration_seconds',
  help: 'How long jobs of the whole service ran, per queue, job and outcome.',
}
const ofPublications = {
  name: 'trustwright_status_publication_duration_seconds',
  help: 'How long publications of status lists took, of the whole service: published, failed, late where another one came before, or unneeded.',
}

/** In Prometheus's own words, because prom-client's histograms hold only what this process observed. */
async function durationText<Labels>(
  durations: Durations<Labels>,
  { name, help, labels }: { name: string; help: string; labels: readonly (keyof Labels & string)[] },
): Promise<string> {
  const summaries = await durations.read().catch(() => []) // without Redis there are none to tell
  const lines = summaries.flatMap((summary) => {
    const { count, sumSeconds, atMost } = summary
    const said = labels.map((label) => `${label}="${summary[label]}"`).join(',')
    return [
      ...atMost.map(([bound, within]) => `${name}_bucket{${said},le="${bound}"} ${within}`),
      `${name}_bucket{${said},le="+Inf"} ${count}`,
      `${name}_sum{${said}} ${sumSeconds}`,
      `${name}_count{${said}} ${count}`,
    ]
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n')
}

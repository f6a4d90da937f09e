import { Histogram } from 'prom-client'

const httpDuration = new Histogram({
  name: 'trustwright_http_request_duration_seconds',
  help: 'How long requests to this process took, per operation and status.',
  labelNames: ['operation', 'status'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

/** Returns the function that observes the duration of a request. It looks up the histogram of each status once. */
export function observerOf({ operation }: { operation: string }): (status: number, seconds: number) => void {
  const ofStatus = new Map<number, Histogram.Internal<string>>()
  return (status, seconds) => {
    const histogram = ofStatus.get(status) ?? httpDuration.labels({ operation, status })
    ofStatus.set(status, histogram)
    histogram.observe(seconds)
  }
}

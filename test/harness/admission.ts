import { register } from 'prom-client'

/** Returns the number of requests to this process that wait for a slot, from its metric. */
export async function waitingRequests(): Promise<number> {
  const metric = await register.getSingleMetric('trustwright_http_requests_waiting')?.get()
  return metric?.values[0]?.value ?? 0
}

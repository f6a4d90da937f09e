import { register } from 'prom-client'

/** How many requests to this process wait for a slot, as its metric tells. */
export async function waitingRequests(): Promise<number> {
  const metric = await register.getSingleMetric('trustwright_http_requests_waiting')?.get()
  return metric?.values[0]?.value ?? 0
}

import type { Histogram } from 'prom-client'
import { httpDuration } from '../../shared/metrics.ts'

/** Tells how long requests took; what is counted of a status is looked up once. */
export function observerOf({ operation }: { operation: string }): (status: number, seconds: number) => void {
  const ofStatus = new Map<number, Histogram.Internal<string>>()
  return (status, seconds) => {
    const known = ofStatus.get(status) ?? httpDuration.labels({ operation, status })
    ofStatus.set(status, known)
    known.observe(seconds)
  }
}

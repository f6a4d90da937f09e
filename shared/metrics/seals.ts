import { Counter } from 'prom-client'

const seals = new Counter({
  name: 'trustwright_seals_total',
  help: 'Values that this process sealed or wrapped, by use. Each use has a key for each day, which is good for 2^30 seals.',
  labelNames: ['use'] as const,
})

/** Counts a seal. The use has no ids. */
export function countSeal(use: string): void {
  seals.inc({ use })
}

import { Gauge } from 'prom-client'

const up = new Gauge({
  name: 'trustwright_key_provider_up',
  help: 'Whether a provider of private keys answers this process, 1 or 0, by provider. Left out without a provider besides the software.',
  labelNames: ['provider'] as const,
})

/** Reports whether a provider of private keys answers. */
export function reportKeyProvider(provider: string, isUp: boolean): void {
  up.set({ provider }, Number(isUp))
}

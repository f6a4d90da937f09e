import { setTimeout as sleep } from 'node:timers/promises'
import { ProxyTracerProvider, trace } from '@opentelemetry/api'

const flushWithinMs = 1_000

/**
 * Exports the last spans when the process stops, and ends the exports that are under way. Later spans are lost. Waits at most a second, and
 * never fails.
 */
export async function flushTraces(): Promise<void> {
  const registered = trace.getTracerProvider()
  const provider: unknown = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered
  const timeout = sleep(flushWithinMs, undefined, { ref: false })
  await Promise.race([shutDown(provider), timeout]).catch(() => undefined)
}

/** Shuts a provider down. `forceFlush` of the SDK does not wait for an export that has begun. */
async function shutDown(provider: unknown): Promise<void> {
  if (typeof provider !== 'object' || provider === null || !('shutdown' in provider)) return
  if (typeof provider.shutdown === 'function') await provider.shutdown()
}

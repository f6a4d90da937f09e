import { setTimeout as sleep } from 'node:timers/promises'
import { ProxyTracerProvider, trace } from '@opentelemetry/api'
import { findRecorder } from './recorder.ts'

const flushWithinMs = 1_000

/** Exports the last spans when the process stops. Waits at most a second, and never fails. */
export async function flushTraces(): Promise<void> {
  const registered = trace.getTracerProvider()
  const provider: unknown = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered
  const timeout = sleep(flushWithinMs, undefined, { ref: false })
  await Promise.race([Promise.all([flush(provider), findRecorder()?.flush?.()]), timeout]).catch(() => undefined)
}

async function flush(provider: unknown): Promise<void> {
  if (typeof provider !== 'object' || provider === null || !('forceFlush' in provider)) return
  if (typeof provider.forceFlush === 'function') await provider.forceFlush()
}

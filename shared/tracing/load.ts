import type { Log } from '../log/log.ts'
import { createThrottledLog } from '../log/throttled-log.ts'
import { exitIfMisconfigured } from '../process/dependency.ts'
import { type Environment, readSettings } from '../settings/settings.ts'

export interface LoadedTracing {
  /** Returns the trace id for log lines. Undefined while tracing is off. */
  fields: (() => object) | undefined
  /** Sets the log for failures of the exporter. */
  reportTo(log: Log): void
}

/**
 * Loads the OpenTelemetry SDK if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Entry points call it before they load the code that creates
 * spans.
 */
export async function loadTracing(env: Environment, processName: string): Promise<LoadedTracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: isDisabled } = exitIfMisconfigured(() =>
    readSettings(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_SDK_DISABLED'], env),
  )
  let log: Log | undefined
  const logFailure = createThrottledLog((fields: { reason: string }) => log?.warn(fields, 'trace export failed'))
  if (endpoint !== undefined && isDisabled.toLowerCase() !== 'true') {
    const sdk = await import('./sdk.ts')
    exitIfMisconfigured(() => sdk.register(env, processName, (reason) => logFailure('export', { reason })))
  }
  const { tracing } = await import('./tracing.ts')
  return {
    fields: tracing?.fields,
    reportTo(target) {
      log = target
    },
  }
}

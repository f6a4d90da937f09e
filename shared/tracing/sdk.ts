import { AsyncLocalStorage } from 'node:async_hooks'
import { ProxyTracerProvider, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type Environment, readSettings, type Settings } from '../settings/settings.ts'

const names = [
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_EXPORT_TIMEOUT',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
] as const
type TracingSettings = Settings<(typeof names)[number]>

/**
 * Registers the OpenTelemetry SDK, unless `--import` has registered another one. The exporter reads its settings from the environment.
 * `reportFailure` gets the system code, the HTTP status or the name of an error of the exporter.
 */
export function register(env: Environment, processName: string, reportFailure: (reason: string) => void): void {
  const provider = trace.getTracerProvider()
  if (!(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('trustwright')) return
  const settings = readSettings(names, env)
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': `trustwright-${processName}`, 'process.pid': process.pid }))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }))
  const spanProcessors = [createProcessor(settings, reportFailure)]
  trace.setGlobalTracerProvider(new TracerProvider({ sampler: samplerOf(settings), resource, spanProcessors }))
}

/** Exports spans in batches, one at a time. The answers of the receiver and the headers are left out of the reports. */
function createProcessor(settings: TracingSettings, reportFailure: (reason: string) => void): BatchSpanProcessor {
  // An export runs in the context of the request whose span was the last of the batch. Its failure does not belong to that request.
  const report = AsyncLocalStorage.bind(reportFailure)
  const exporter = new OTLPTraceExporter()
  return new BatchSpanProcessor({
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          const { error } = result
          if (error) report('code' in error ? String(error.code) : error.name)
          done(result)
        }),
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
    },
    scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMillis: settings.OTEL_BSP_EXPORT_TIMEOUT,
    maxQueueSize: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    maxExportBatchSize: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
  })
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingSettings): Sampler {
  const [, kind = name] = /^parentbased_(.*)$/.exec(name) ?? []
  const root = rootSamplerOf(kind, ratio)
  return kind === name ? root : new ParentBasedSampler({ root })
}

function rootSamplerOf(kind: string, ratio: number): Sampler {
  if (kind === 'always_off') return new AlwaysOffSampler()
  return kind === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}

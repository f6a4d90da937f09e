import { ProxyTracerProvider, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import {
  defaultResource,
  detectResources,
  type Resource,
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
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type Environment, readSettings, type Settings } from '../settings/settings.ts'
import { createJsonRecorder } from './json-recorder.ts'
import { registerRecorder } from './recorder.ts'
import { headOf } from './resource-json.ts'
import { SpanWriter } from './span-writer.ts'

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
  const report: Report = ({ error }) => {
    if (error) reportFailure('code' in error ? String(error.code) : error.name)
  }
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': `trustwright-${processName}`, 'process.pid': process.pid }))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }))
  const sampler = samplerOf(settings)
  if (settings.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json') {
    registerRecorder(createJsonRecorder(sampler, createWriter(settings, resource, report)))
  } else {
    const spanProcessors = [createProtobufProcessor(settings, report)]
    trace.setGlobalTracerProvider(new TracerProvider({ sampler, resource, spanProcessors }))
  }
}

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0]
/** The answer of the receiver and the headers are left out of the report. */
type Report = (result: ExportResult) => void

/** The requests and their settings are those of the exporters of OpenTelemetry. */
function createWriter(settings: TracingSettings, resource: Resource, report: Report): SpanWriter {
  const options = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': 'application/json' })
  const serializer = { serializeRequest: (body: Buffer) => body, deserializeResponse: () => ({}) }
  const counting = { name: 'span' as const, countItems: () => 0 }
  const exporter = new OTLPExporterBase(
    createOtlpHttpExportDelegate(options, serializer, 'trustwright', counting, undefined),
  )
  const send = (body: Buffer) =>
    new Promise<void>((resolve) =>
      exporter.export(body, (result) => {
        report(result)
        resolve()
      }),
    )
  return new SpanWriter({
    head: headOf(resource, 'trustwright'),
    send,
    delayMs: settings.OTEL_BSP_SCHEDULE_DELAY,
    maxItems: batchSizeOf(settings),
    maxWaiting: settings.OTEL_BSP_MAX_QUEUE_SIZE,
  })
}

function createProtobufProcessor(settings: TracingSettings, report: Report): BatchSpanProcessor {
  const exporter = new ProtobufExporter()
  return new BatchSpanProcessor({
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          report(result)
          done(result)
        }),
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
    },
    scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMillis: settings.OTEL_BSP_EXPORT_TIMEOUT,
    maxQueueSize: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    maxExportBatchSize: batchSizeOf(settings),
  })
}

/** A batch must fit into the queue. */
function batchSizeOf(settings: TracingSettings): number {
  return Math.min(settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, settings.OTEL_BSP_MAX_QUEUE_SIZE)
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

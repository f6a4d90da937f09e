import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

const secretNames = new Set([
  'authorization',
  'cookie',
  'client_secret',
  'clientSecret',
  'access_token',
  'accessToken',
  'code',
  'pre-authorized_code',
  'tx_code',
  'transactionCode',
  'secret',
  'password',
  'claims',
  'proof',
  'proofs',
])

export interface LogOptions {
  /** The role of the process, in each line. A process of several roles has a log for each, with the same output. */
  process: string
  level: string
  pretty: boolean
  /** Returns fields for each line. */
  fields?: (() => object) | undefined
}

/**
 * Creates the log of the process: JSON lines, or readable text in development. A log call writes only the fields that it names.
 * Requests, bodies and job data are never logged. The redaction of secret names is a second line of defence.
 */
export function createLog(options: LogOptions): Log {
  return pino(
    {
      ...(options.fields && { mixin: options.fields }),
      level: options.level,
      base: { process: options.process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: withoutSecrets },
      serializers: { err: errorFields },
    },
    (options.pretty && prettyStream()) || standardOutput(),
  )
}

/**
 * Replaces values with the name of a secret, in the fields of a log call and one level below. The fields of a `child` logger are not
 * checked. Pino's own `redact` needs thirty paths and takes ten times as long as the rest of a line.
 */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  let redacted = withoutSecretsIn(fields)
  for (const [name, value] of Object.entries(redacted)) {
    // Errors have a serializer, and objects with `toJSON` write themselves.
    if (typeof value !== 'object' || value === null || name === 'err' || 'toJSON' in value) continue
    const object = withoutSecretsIn(value)
    if (object !== value) redacted = { ...redacted, [name]: object }
  }
  return redacted
}

/** Returns the object itself if it has no secret. */
function withoutSecretsIn<Fields extends object>(fields: Fields): Fields {
  const secret = Object.keys(fields).filter((name) => secretNames.has(name))
  return secret.length === 0 ? fields : { ...fields, ...Object.fromEntries(secret.map((name) => [name, '[redacted]'])) }
}

/**
 * Writes lines in blocks of 4 KB, at least every 0.1 s. One write per line would take a sixth of the CPU time of a web process. The
 * rest is written when the process exits, unless it is killed. If the reader is too slow, lines are lost.
 */
const buffered = { dest: 1, sync: false, minLength: 4096, periodicFlush: 100, maxLength: 8 * 1024 * 1024 }

let opened: DestinationStream | undefined

/** Returns the one destination of all logs of the process, so that each line is written whole. */
function standardOutput(): DestinationStream {
  opened ??= openDestination()
  return opened
}

/**
 * Opens the standard output. While it cannot be written, for example to a full disk, up to 8 MB of lines wait. Without a listener, an error
 * would end the process. A flush at the exit would repeat a failing write for ever.
 */
function openDestination(): DestinationStream {
  const destination = pino.destination(buffered)
  const flushSync = destination.flushSync.bind(destination)
  let isFailing = false
  destination.on('error', () => {
    isFailing = true
  })
  destination.on('write', () => {
    isFailing = false
  })
  destination.flushSync = () => {
    if (!isFailing) flushSync()
  }
  return destination
}

/** Returns a stream in this thread, because a separate thread takes memory and time to start. Undefined without pino-pretty. */
function prettyStream(): DestinationStream | undefined {
  const require = createRequire(import.meta.url)
  try {
    require.resolve('pino-pretty')
  } catch {
    return undefined
  }
  const pretty: typeof import('pino-pretty') = require('pino-pretty')
  return pretty({ ignore: 'pid,hostname,process', messageFormat: '{process}: {msg}', sync: true })
}

/** The shape of a system error code such as ECONNREFUSED. Secret codes have another shape. */
const systemCodes = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

/** Returns type, message, system code and stack. Other properties are left out, because libraries attach requests and rows to errors. */
export function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const cause = error.cause instanceof Error ? { cause: errorFields(error.cause) } : {}
  const message = withoutParameters(error.message)
  const { code } = error as { code?: unknown }
  const systemCode = typeof code === 'string' && code.length <= 60 && systemCodes.test(code) ? { systemCode: code } : {}
  const stack = error.stack && stackOf(error.stack, error.message, message)
  return { type: error.name, message, ...systemCode, stack, ...cause }
}

/** Removes the bound values from the messages of Drizzle: the text after `params:` up to the end. The values can be claims. */
export function withoutParameters(text: string): string {
  return text.replace(/^params: [\s\S]*/m, 'params: [redacted]')
}

/** Replaces the message in the stack. If the message has changed since the error was created, it redacts the stack to the end. */
function stackOf(stack: string, message: string, redacted: string): string {
  return stack.includes(message) ? stack.replace(message, () => redacted) : withoutParameters(stack)
}

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

/**
 * The process's log: JSON lines, readable in development. Only what a log call names in its fields is ever written;
 * requests, bodies and job data are not, and the redaction of secret names is the second line of defence.
 */
export function createLog(options: { process: string; level: string; pretty: boolean }): Log {
  return pino(
    {
      level: options.level,
      base: { process: options.process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: withoutSecrets },
      serializers: { err: errorFields },
    },
    (options.pretty && prettyStream()) || pino.destination(gathered),
  )
}

/**
 * The fields that a call names, with what has the name of a secret replaced, in them and in the objects that they are; not those of a `child`, which
 * says whose line it is. Pino's own `redact` does the same by thirty paths and takes ten times as long as all else of a line.
 */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  let told = withoutSecretsIn(fields)
  for (const [name, value] of Object.entries(told)) {
    // What an error may tell its serializer says, and what makes its own JSON that.
    if (typeof value !== 'object' || value === null || name === 'err' || 'toJSON' in value) continue
    const object = withoutSecretsIn(value)
    if (object !== value) told = { ...told, [name]: object }
  }
  return told
}

/** The object itself where it has none. */
function withoutSecretsIn<Fields extends object>(fields: Fields): Fields {
  const secret = Object.keys(fields).filter((name) => secretNames.has(name))
  return secret.length === 0 ? fields : { ...fields, ...Object.fromEntries(secret.map((name) => [name, '[redacted]'])) }
}

/**
 * Lines are written together, 4 KB or what a tenth of a second brings: a write for each line of a request would be a sixth of what the web
 * process does. What is left is written when the process ends, unless it is killed; where nobody takes the lines, some go.
 */
const gathered = { dest: 1, sync: false, minLength: 4096, periodicFlush: 100, maxLength: 8 * 1024 * 1024 }

/** In this thread: one of its own takes memory and time to start. Undefined where `npm ci --omit=dev` left pino-pretty out. */
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

/** The system's own name of what failed, such as ECONNREFUSED; a code that is a secret looks otherwise. */
const systemCodes = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

/** Type, message, the system's code and stack. Never the error's other properties: libraries hang requests and rows on them. */
export function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const cause = error.cause instanceof Error ? { cause: errorFields(error.cause) } : {}
  const message = withoutParameters(error.message)
  const { code } = error as { code?: unknown }
  const systemCode = typeof code === 'string' && code.length <= 60 && systemCodes.test(code) ? { systemCode: code } : {}
  const stack = error.stack && stackOf(error.stack, error.message, message)
  return { type: error.name, message, ...systemCode, stack, ...cause }
}

/** Drizzle's query errors print the bound values behind `params:`, to the end, line breaks and all; those can be claims. */
export function withoutParameters(text: string): string {
  return text.replace(/^params: [\s\S]*/m, 'params: [redacted]')
}

/** The stack begins with the message as it was when the error was made. Where it is another by now, the rest is given up. */
function stackOf(stack: string, message: string, told: string): string {
  return stack.includes(message) ? stack.replace(message, () => told) : withoutParameters(stack)
}

import { readSettings, type SettingName } from './settings/settings.ts'

/**
 * `node shared/check-health.ts [web|signing|worker]`: exits with 0 if the process of this kind on this machine is ready, and otherwise with 1 and
 * the reason. For health checks of containers. It reads the settings of the ports, and no secret.
 */
const words = process.argv.slice(2)
const names = ['HOST', 'PORT', 'OPS_HOST', 'SIGNING_OPS_PORT', 'WORKER_OPS_PORT'] as const satisfies SettingName[]
const values = readSettings(names, process.env)
const listeners = {
  web: { host: values.HOST, port: values.PORT },
  signing: { host: values.OPS_HOST, port: values.SIGNING_OPS_PORT ?? values.PORT + 3 },
  worker: { host: values.OPS_HOST, port: values.WORKER_OPS_PORT ?? values.PORT + 4 },
}
const kind = words[0] ?? 'web'
if (words.length > 1 || !isKind(kind)) {
  console.error(`node shared/check-health.ts [KIND]: KIND is ${Object.keys(listeners).join(', ')}. The default is web.`)
  process.exit(2)
}

const url = urlOf(listeners[kind])
try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4_000) })
  if (status !== 200) fail(`it returned ${status}`)
} catch (error) {
  fail(reasonOf(error))
}

function isKind(text: string): text is keyof typeof listeners {
  return Object.hasOwn(listeners, text)
}

/** Returns an address that this machine can reach, if the process listens on all its addresses. */
function urlOf({ host, port }: { host: string | undefined; port: number }): string {
  const isAll = host === undefined || host === '0.0.0.0' || host === '::'
  const name = isAll ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/health/ready`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}

function fail(reason: string): never {
  console.error(`The process is not ready. ${url}: ${reason}.`)
  process.exit(1)
}

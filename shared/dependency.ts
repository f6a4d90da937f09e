import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** What a process cannot work without, and waits for when it starts. */
export interface Dependency {
  name: 'database' | 'redis'
  /** For the log: where it is looked for, without a password. */
  address: string
  /** Resolves once it answers. Throws Misconfigured where waiting does not help. */
  reach(): Promise<void>
}

/** Somebody has to change something first: waiting does not help. The message is for them, and whole. */
export class Misconfigured extends Error {}

const pauseMs = 500
const tellEveryMs = 10_000
/** An operator is told of a longer wait before an answer is overdue. */
const silenceMs = 2_500
/** A firewall that swallows packets gives no answer at all. */
const answerWithinMs = 5_000

/** Waits as long as it takes. Logs a line after the first failure, or after 2.5 s without an answer, and then every 10 s. Throws Misconfigured. */
export async function waitUntilReachable({ name, address, reach }: Dependency, log: Log): Promise<void> {
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = (reason: string) => {
    if (performance.now() - toldAt < tellEveryMs) return
    log.warn({ dependency: name, address, reason }, 'waiting for a dependency')
    toldAt = performance.now()
  }
  const silence = setTimeout(tell, silenceMs, 'no answer yet')
  try {
    for (;;) {
      const trouble = await troubleOf(reach)
      if (!trouble) break
      tell(trouble)
      await sleep(pauseMs)
    }
  } finally {
    clearTimeout(silence)
  }
  if (toldAt > 0) log.info({ dependency: name, address }, 'dependency is reachable again')
}

async function troubleOf(reach: () => Promise<void>): Promise<string | undefined> {
  const late = sleep(answerWithinMs, 'no answer', { ref: false })
  try {
    return await Promise.race([reach().then(() => undefined), late])
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    return reasonOf(error)
  }
}

/** The system's code where there is one: the messages of drivers may be empty, or many lines long. */
export function reasonOf(error: unknown): string {
  const inner = innermost(error)
  if (inner instanceof Error && 'code' in inner) return String(inner.code)
  return inner instanceof Error ? inner.message : String(inner)
}

/** Drivers and repositories wrap what went wrong. */
export function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error
}

/** The address without what stands for a user, a password or options. */
export function addressOf(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/.*@/s, '//')
}

/** For who does not wait: where it cannot be worked with, the process ends with one line that says so. */
export async function requireReachable({ name, address, reach }: Dependency): Promise<void> {
  try {
    await reach()
  } catch (error) {
    const isWhole = error instanceof Misconfigured
    console.error(isWhole ? error.message : `The ${name} at ${address} does not answer: ${reasonOf(error)}`)
    process.exit(1)
  }
}

/** Ends a process that cannot start: one plain line where somebody has to change something, the whole error where it is a bug. */
export function exitOnStartupError(log: Log, error: unknown): never {
  if (error instanceof Misconfigured) console.error(error.message)
  else log.fatal({ err: error }, 'the process could not start')
  process.exit(1)
}

/** What `read` makes of the settings; where they are wrong, the process ends with the line that says so. */
export function exitIfMisconfigured<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log/log.ts'

/** A service that a process needs, and waits for when it starts. */
export interface Dependency {
  name: 'database' | 'redis'
  /** The address for the log, without a password. */
  address: string
  /** Resolves when the dependency answers. Throws Misconfigured if waiting does not help. */
  reach(): Promise<void>
}

/** A configuration error that the operator must correct. The message is a complete text for the operator. */
export class Misconfigured extends Error {}

const pauseMs = 500
const logEveryMs = 10_000
/** The first attempt logs a line after this time without an answer. */
const firstLogMs = 2_500
/** The time limit of one attempt. A firewall that drops packets never answers. */
const attemptTimeoutMs = 5_000

/** Waits as long as it takes. Logs a line after the first failure, or after 2.5 s without an answer, and then every 10 s. Throws Misconfigured. */
export async function waitUntilReachable({ name, address, reach }: Dependency, log: Log): Promise<void> {
  let loggedAt = Number.NEGATIVE_INFINITY
  const logWait = (reason: string) => {
    if (performance.now() - loggedAt < logEveryMs) return
    log.warn({ dependency: name, address, reason }, 'waiting for a dependency')
    loggedAt = performance.now()
  }
  const firstLog = setTimeout(logWait, firstLogMs, 'no answer yet')
  try {
    for (;;) {
      const failure = await tryOnce(reach)
      if (!failure) break
      logWait(failure)
      await sleep(pauseMs)
    }
  } finally {
    clearTimeout(firstLog)
  }
  if (loggedAt > 0) log.info({ dependency: name, address }, 'dependency is reachable again')
}

/** Returns the reason of a failure, or undefined if the dependency answered. */
async function tryOnce(reach: () => Promise<void>): Promise<string | undefined> {
  const late = sleep(attemptTimeoutMs, 'no answer', { ref: false })
  try {
    return await Promise.race([reach().then(() => undefined), late])
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    return reasonOf(error)
  }
}

/** Returns the system error code, or else the message. Messages of drivers can be empty, or many lines long. */
export function reasonOf(error: unknown): string {
  const inner = innermost(error)
  if (inner instanceof Error && 'code' in inner) return String(inner.code)
  return inner instanceof Error ? inner.message : String(inner)
}

/** Returns the message of the innermost cause, or its code if it has no message. */
export function innermostMessage(error: unknown): string {
  const inner = innermost(error)
  return inner instanceof Error && inner.message !== '' ? inner.message : reasonOf(inner)
}

/** Returns the innermost cause, because drivers and repositories wrap errors. */
export function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error
}

/** Returns the address without user, password and options. */
export function addressOf(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/.*@/s, '//')
}

/** Exits the process with a message of one line if the dependency cannot be reached. For commands, which do not wait. */
export async function requireReachable({ name, address, reach }: Dependency): Promise<void> {
  try {
    await reach()
  } catch (error) {
    const isForOperator = error instanceof Misconfigured
    console.error(isForOperator ? error.message : `The ${name} at ${address} does not answer: ${reasonOf(error)}`)
    process.exit(1)
  }
}

/** Exits a process that cannot start. Prints the message of a Misconfigured, and logs any other error with its stack. */
export function exitOnStartupError(log: Log, error: unknown): never {
  if (error instanceof Misconfigured) console.error(error.message)
  else log.fatal({ err: error }, 'the process could not start')
  process.exit(1)
}

/** Returns the result of `read`. If it throws Misconfigured, prints the message and exits the process. */
export function exitIfMisconfigured<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

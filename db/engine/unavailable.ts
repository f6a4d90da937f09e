import { Problem } from '../../shared/errors/errors.ts'

/** Reports that the database is unreachable, full or too busy. The request is valid, and the client can retry it. */
export class DatabaseUnavailable extends Problem {
  constructor(cause: unknown) {
    super('service_unavailable', { retryAfterSeconds: 2, cause })
  }
}

/** Returns a `DatabaseUnavailable` for the driver errors of an unavailable database. Returns other errors unchanged. */
export function translateError(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof Problem) return each instanceof DatabaseUnavailable ? each : error
    if (isUnavailable(each)) return new DatabaseUnavailable(error)
  }
  return error
}

/** serialization_failure and deadlock_detected: the transaction had no effect and may run again. */
export const repeatable = ['40001', '40P01']

const lockNotAvailable = '55P03'

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html, where the first two characters are the class, the
 * codes of Node's sockets, and https://sqlite.org/rescode.html, where an extended code begins with its primary code.
 */
const codes = [
  ...repeatable,
  '08', // connection_exception
  '53', // insufficient_resources: too many connections, disk full
  '57P', // the server stops, starts, or has ended this connection
  '57014', // query_canceled: it took longer than `statement_timeout`
  lockNotAvailable,
  ...['25P03', '25P04'], // too long in a transaction
  '58030', // io_error
  ...['ECONN', 'EPIPE', 'ETIMEDOUT', 'EHOST', 'ENET', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EMFILE'],
  ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_CANTOPEN'],
]

/** The codes after which the connection is lost. */
const codesOfLoss = ['08', '57P', '25P03', '25P04', 'ECONN', 'EPIPE', 'ETIMEDOUT']

/** pg has no codes for the errors of its connections and its pool. */
const noAnswer = /^Query read timeout/
const messages = /^(timeout exceeded when trying to connect|Cannot use a pool after)/
const messagesOfLoss = /^(Connection terminated|Client (was closed|has encountered))/

/** Returns true if a lock was not available within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (hasCode(each, [lockNotAvailable])) return true
  return false
}

/** Returns true if the connection was lost. A retry on another connection may succeed. */
export function isConnectionLost(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (hasCode(each, codesOfLoss) ?? messagesOfLoss.test(each.message)) return true
  }
  return false
}

/** Returns true if the server did not answer a query in time. Later queries on the connection wait behind this query. */
export function isUnanswered(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (noAnswer.test(each.message)) return true
  return false
}

function isUnavailable(error: Error): boolean {
  return hasCode(error, codes) ?? [noAnswer, messages, messagesOfLoss].some((each) => each.test(error.message))
}

/** Returns undefined if the error has no code. The code of a problem is of another kind. */
function hasCode(error: Error, codes: string[]): boolean | undefined {
  if (error instanceof Problem || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' ? codes.some((each) => code.startsWith(each)) : undefined
}

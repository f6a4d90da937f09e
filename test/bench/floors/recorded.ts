/** A statement of the log of PostgreSQL. */
export interface RecordedStatement {
  text: string
  /** As PostgreSQL writes them. NULL is null. */
  parameters: (string | null)[]
}

/** The statements from BEGIN to COMMIT, or one statement outside of a transaction. */
export type RecordedTransaction = RecordedStatement[]

/** The members of a line that are used (https://www.postgresql.org/docs/current/runtime-config-logging.html, table of JSON log keys). */
interface LogLine {
  pid: number
  application_name?: string
  message: string
  detail?: string
}

/**
 * Reads the transactions from lines of a `jsonlog` with `log_statement = all`, in the order of their ends. In this order each
 * transaction comes after those whose rows it needs. Leaves out transactions that were rolled back or had not ended.
 */
export function readTransactions(log: string, leftOutApplication: string): RecordedTransaction[] {
  const ended: RecordedTransaction[] = []
  const open = new Map<number, RecordedTransaction>()
  for (const line of log.split('\n').filter(Boolean)) {
    // Boundary: the format of PostgreSQL.
    const { pid, application_name, message, detail = '' } = JSON.parse(line) as LogLine
    const text = textOf(message)
    if (text === undefined || isSessionSetting.test(text) || application_name === leftOutApplication) continue
    const statement = { text, parameters: readParameters(detail) }
    if (/^BEGIN/i.test(text)) open.set(pid, [statement])
    else if (/^COMMIT/i.test(text)) ended.push([...(open.get(pid) ?? []), statement])
    else if (open.has(pid)) open.get(pid)?.push(statement)
    else ended.push([statement])
    if (/^(COMMIT|ROLLBACK$)/i.test(text)) open.delete(pid)
  }
  return ended
}

/** The service sets up a connection once. */
const isSessionSetting = /^SET (?!LOCAL)/i

function textOf(message: string): string | undefined {
  return /^(?:statement|execute [^:]*): ([\s\S]*)$/.exec(message)?.[1]
}

/** Reads a text such as `parameters: $1 = 'it''s', $2 = NULL`. */
export function readParameters(detail: string): (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')(?:, |$)/g)].map(
    ([, value]) => value?.replaceAll("''", "'") ?? null,
  )
}

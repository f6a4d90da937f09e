import SqliteDatabase from 'better-sqlite3'

/** An error of the database at one statement. */
export interface StatementFault {
  /** The fault occurs at this statement of the watched work, from 1. */
  nth: number
  /** Whether the statement runs before the error. A `COMMIT` then takes effect, and its caller does not know it. */
  when: 'before' | 'after'
  /** `process`: all later statements fail too, until the process starts again. */
  ends: 'statement' | 'process'
}

export interface StatementFaults {
  /** Sets the next fault. It stays until it occurs. */
  arm(fault: StatementFault): void
  /** Statements of `work` count and can fail. */
  watch<Result>(work: () => Promise<Result>): Promise<Result>
  isWatching(): boolean
  isDead(): boolean
  /** Ends the state in which all statements fail. */
  revive(): void
  /** Number of faults that have occurred. */
  occurred(): number
}

type Run = (...values: unknown[]) => unknown

interface Prepared {
  statement: SqliteDatabase.Statement
  methods: Record<string, Run>
}

/** Makes statements of all SQLite connections of this process fail on demand. Rollbacks never fail. */
export function createStatementFaults(): StatementFaults {
  let fault: StatementFault | undefined
  let left = 0
  let watching = 0
  let isDead = false
  let occurred = 0

  function through(run: () => unknown): unknown {
    if (isDead) throw ioError()
    if (watching === 0 || !fault || --left > 0) return run()
    const { when, ends } = fault
    fault = undefined
    occurred++
    isDead = ends === 'process'
    if (when === 'after') run()
    throw ioError()
  }

  const prepare = SqliteDatabase.prototype.prepare
  const prepared = new WeakMap<SqliteDatabase.Database, Map<string, Prepared>>()

  /** The service prepares the same queries in each step. To prepare each query once saves a fifth of the time. */
  function prepareOnce(connection: SqliteDatabase.Database, sql: string): Prepared {
    const statements = prepared.get(connection) ?? new Map<string, Prepared>()
    prepared.set(connection, statements)
    const preparedStatement = statements.get(sql)
    if (preparedStatement) return preparedStatement
    const statement = prepare.call(connection, sql)
    const methods: Record<string, Run> = {}
    for (const name of ['run', 'get', 'all'] as const) {
      // Boundary: the types of values and rows do not change.
      const run = statement[name] as Run
      methods[name] = (...values) => through(() => run.apply(statement, values))
    }
    const made = { statement, methods: sql.startsWith('ROLLBACK') ? {} : methods }
    statements.set(sql, made)
    return made
  }

  SqliteDatabase.prototype.prepare = function (this: SqliteDatabase.Database, sql: string) {
    const { statement, methods } = prepareOnce(this, sql)
    // The service replaces methods of the statements that it prepares. Each preparation begins with the same methods.
    return Object.assign(statement, methods)
  } as typeof prepare

  return {
    arm(next) {
      fault = next
      left = next.nth
    },
    async watch(work) {
      watching++
      try {
        return await work()
      } finally {
        watching--
      }
    },
    isWatching: () => watching > 0,
    isDead: () => isDead,
    revive() {
      isDead = false
    },
    occurred: () => occurred,
  }
}

function ioError(): Error {
  return new SqliteDatabase.SqliteError('disk I/O error', 'SQLITE_IOERR')
}

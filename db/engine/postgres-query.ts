import type { Connection, CustomTypesConfig, PoolClient, Submittable } from 'pg'
import { compileParams, type DrizzleQuery, rowReader, type Values } from './compiled-query.ts'

/** The properties of a query that Drizzle has prepared for pg. */
export interface PostgresQuery extends DrizzleQuery {
  params: unknown[]
  queryConfig: { name: string; text: string; types: CustomTypesConfig }
}

/** A query that each connection prepares once under its name. */
interface Statement {
  name: string
  text: string
  /** Parsers of the columns. Empty if the query returns no rows, absent until the server has described the columns. */
  columns?: ((text: string) => unknown)[]
  types?: CustomTypesConfig
}

/** A statement with its encoded values. */
export interface PreparedCall {
  statement: Statement
  values: (string | Buffer | null)[]
}

/** The client of Drizzle and of prepared queries. It replaces pg's client. */
export interface Queryable {
  query: PoolClient['query']
  /** Runs a query and returns its rows. */
  run(call: PreparedCall): Promise<unknown[][]>
  /** Queues a query without rows. It is sent with the next query or the commit, which fails if this query fails. */
  queueWithNextMessage(call: PreparedCall): Promise<void>
}

/** Compiles a query, once per process. A connection gets its text once, and afterwards the name and the values. */
export function compilePostgres({ queryConfig, params, fields, joinsNotNullableMap }: PostgresQuery) {
  const { name, text, types } = queryConfig
  const statement: Statement = fields ? { name, text, types } : { name, text, columns: [] }
  const bind = compileParams(params)
  const readRow = fields && rowReader(fields, joinsNotNullableMap)
  const call = (values: Values): PreparedCall => ({ statement, values: bind(values).map(sent) })
  return {
    async run(on: Queryable, values: Values): Promise<unknown> {
      const rows = await on.run(call(values))
      return readRow ? rows.map(readRow) : undefined
    },
    queueWithNextMessage: (on: Queryable, values: Values): Promise<void> => on.queueWithNextMessage(call(values)),
  }
}

/** Converts a value that its column has encoded to what the protocol sends. */
function sent(value: unknown): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return encodeArray(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`a ${typeof value} cannot be the value of a query`)
}

/** Encodes a list (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). Bytes are hexadecimal. */
export function encodeArray(values: unknown[]): string {
  return `{${values.map(inList).join(',')}}`
}

function inList(value: unknown): string {
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : sent(value)
  if (text === null) return 'NULL'
  return `"${String(text).replaceAll(/["\\]/g, '\\$&')}"`
}

/** Makes a call of a statement without values and rows, such as BEGIN. */
export function callOf(text: string): PreparedCall {
  return { statement: { name: text, text, columns: [] }, values: [] }
}

/**
 * Sends several calls with one write. The server skips all calls after one that fails
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY).
 */
export class PipelinedExchange implements Submittable {
  /** The command tags of completed calls, such as `BEGIN` or `INSERT 0 1`. */
  readonly done: string[] = []
  /** pg replaces it to be notified of the end. */
  callback: (error: Error | null) => void = () => undefined
  readonly #calls: PreparedCall[]
  readonly #client: PoolClient
  readonly #prepared: Set<string>
  /** The rows by the position of their call. */
  readonly #rows: (string | null)[][][]

  constructor(client: PoolClient, calls: PreparedCall[]) {
    this.#client = client
    this.#calls = calls
    this.#rows = calls.map(() => [])
    this.#prepared = preparedNames(client)
  }

  /** Sends the calls and returns the rows of each. */
  async send(): Promise<unknown[][][]> {
    await new Promise<void>((resolve, reject) => {
      this.callback = (error) => (error ? reject(errorOf(this.#calls[this.done.length], error)) : resolve())
      this.#client.query(this)
    })
    for (const { statement } of this.#calls) this.#prepared.add(statement.name)
    return this.#calls.map(({ statement }, position) => parseRows(statement, this.#rows[position] ?? []))
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    for (const call of this.#calls) {
      if (!this.#prepared.has(call.statement.name)) prepare(connection, call.statement)
      execute(connection, call)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: { dataTypeID: number }[] }): void {
    const statement = this.#calls[this.done.length]?.statement
    if (!statement) return
    statement.columns = fields.map(({ dataTypeID }) => statement.types?.getTypeParser(dataTypeID, 'text') ?? String)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows[this.done.length]?.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.done.push(text)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  handleError(error: Error): void {
    this.callback(error)
  }
}

const preparedOn = new WeakMap<PoolClient, Set<string>>()

/** Returns the names of the statements that a connection has prepared. */
function preparedNames(client: PoolClient): Set<string> {
  const existingNames = preparedOn.get(client)
  if (existingNames) return existingNames
  const names = new Set<string>()
  preparedOn.set(client, names)
  return names
}

function prepare(connection: Connection, { name, text }: Statement): void {
  // It is unknown whether a failed statement was prepared. Closing an unknown statement is no error.
  connection.close({ type: 'S', name }, true)
  connection.parse({ name, text, types: [] }, true)
}

function execute(connection: Connection, { statement: { name, columns }, values }: PreparedCall): void {
  connection.bind({ statement: name, values }, true)
  if (!columns) connection.describe({ type: 'P' }, true)
  connection.execute(null, true)
}

/** Adds the name of the statement, which the error of the driver lacks. */
function errorOf(call: PreparedCall | undefined, cause: Error): Error {
  return new Error(`${call?.statement.name} failed`, { cause })
}

function parseRows({ columns = [] }: Statement, rows: (string | null)[][]): unknown[][] {
  return rows.map((row) => row.map((text, at) => (text === null ? null : columns[at]?.(text))))
}

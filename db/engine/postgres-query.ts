import type { Connection, CustomTypesConfig, PoolClient, Submittable } from 'pg'
import { compileParams, type DrizzleQuery, rowReader, type Values } from './compiled-query.ts'

/** What Drizzle keeps of a query that it has prepared for pg. */
export interface PostgresQuery extends DrizzleQuery {
  params: unknown[]
  queryConfig: { name: string; text: string; types: CustomTypesConfig }
}

/** A query that each connection prepares once, under its name. */
interface Statement {
  name: string
  text: string
  /** How the texts of columns are read: empty when no rows are asked for, absent until the server has described them. */
  columns?: ((text: string) => unknown)[]
  types?: CustomTypesConfig
}

/** A statement with its values, as they are sent. */
export interface PreparedCall {
  statement: Statement
  values: (string | Buffer | null)[]
}

/** What Drizzle and prepared queries run on, in the place of pg's client. */
export interface Queryable {
  query: PoolClient['query']
  /** The rows, of what returns some. */
  run(call: PreparedCall): Promise<unknown[][]>
  /** For what returns none: sent with what is run next, or with the commit, which fails if this does. */
  soon(call: PreparedCall): Promise<void>
}

/** Built once per process; a connection is told the text once, and then the name and the values. */
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
    soon: (on: Queryable, values: Values): Promise<void> => on.soon(call(values)),
  }
}

/** Columns have encoded what they know of. */
function sent(value: unknown): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return sentAll(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`a ${typeof value} is no value of a query`)
}

/** A list (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO); bytes are in it as hex. */
export function sentAll(values: unknown[]): string {
  return `{${values.map(inList).join(',')}}`
}

function inList(value: unknown): string {
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : sent(value)
  if (text === null) return 'NULL'
  return `"${String(text).replaceAll(/["\\]/g, '\\$&')}"`
}

/** Statements without values or rows, as those that begin and end transactions. */
export function callOf(text: string): PreparedCall {
  return { statement: { name: text, text, columns: [] }, values: [] }
}

const preparedOn = new WeakMap<PoolClient, Set<string>>()

/**
 * Calls that are sent together, with one write, and answered together: the server passes over all that comes after one that
 * fails (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY).
 */
export class PipelinedExchange implements Submittable {
  /** What was done, in the server's words, such as `BEGIN` or `INSERT 0 1`. */
  readonly done: string[] = []
  /** pg replaces it, so that it hears of the end too. */
  callback: (error: Error | null) => void = () => undefined
  readonly #calls: PreparedCall[]
  readonly #client: PoolClient
  readonly #prepared: Set<string>
  /** By the position of the call. */
  readonly #rows: (string | null)[][][]

  constructor(client: PoolClient, calls: PreparedCall[]) {
    this.#client = client
    this.#calls = calls
    this.#rows = calls.map(() => [])
    this.#prepared = preparedOn.get(client) ?? new Set()
    preparedOn.set(client, this.#prepared)
  }

  /** The rows of each call. */
  async send(): Promise<unknown[][][]> {
    await new Promise<void>((resolve, reject) => {
      this.callback = (error) => (error ? reject(this.#failure(error)) : resolve())
      this.#client.query(this)
    })
    return this.#calls.map(({ statement: { name, columns = [] } }, position) => {
      this.#prepared.add(name)
      const read = (row: (string | null)[]) => row.map((text, at) => (text === null ? null : columns[at]?.(text)))
      return (this.#rows[position] ?? []).map(read)
    })
  }

  /** The driver's own says nothing of who asked. */
  #failure(cause: Error): Error {
    return new Error(`${this.#calls[this.done.length]?.statement.name} failed`, { cause })
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    for (const { statement, values } of this.#calls) {
      const { name, text, columns } = statement
      if (!this.#prepared.has(name)) {
        // Whether one that failed was prepared is not known; to close what is not there is no error.
        connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
      }
      connection.bind({ statement: name, values }, true)
      if (!columns) connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
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

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { dataOf, type paths, TrustwrightError } from '../../../../shared/client/client.ts'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { TableError, type TableRow } from '../../../../shared/formats/table-file/table.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, textOf, UsageError } from '../command.ts'
import { forEachConcurrently } from '../concurrently.ts'
import { countOf } from '../count-of.ts'
import { createProgress } from '../progress.ts'
import { readBytes } from '../read-input.ts'

type NewUser = NonNullable<paths['/v1/users']['post']['requestBody']>['content']['application/json']
type Row = { row: number; key: string; user: NewUser } | { row: number; error: string }
type Outcome = { id: string; isNew: boolean } | { error: string }

const concurrency = 8

export const importUsers: Command = {
  name: 'users import',
  usage: 'FILE',
  summary: 'Create a user for each row of a file',
  options: {
    format: {
      type: 'string',
      value: 'FORMAT',
      choices: ['csv', 'jsonl'],
      help: 'csv or jsonl. Default: csv for a file *.csv or *.tsv, also before .gz, otherwise jsonl',
    },
  },
  details: [
    'jsonl: each line is the body of POST /v1/users, such as {"claims": {"given_name": "Ada"}}.',
    'csv: the header has the names of the claims. "address.city" is the member city of the claim address. An empty cell is no claim.',
    'Delimiters, encodings and gzip are recognized as in a bulk issuance. A file that cannot be read to its end creates no user.',
    'Each row has its own Idempotency-Key. Within 24 hours, a repeated import of the same file creates nothing twice.',
  ],
  examples: ['trustwright users import users.csv', 'trustwright users import users.jsonl --json > created.jsonl'],
  async run(call) {
    const [file] = call.positionals
    if (file === undefined) throw new UsageError('Give one file, or - for standard input')
    const format = textOf(call, 'format') ?? (/\.[ct]sv(\.gz)?$/i.test(file) ? 'csv' : 'jsonl')
    if (format !== 'csv' && format !== 'jsonl') throw new UsageError('--format must be csv or jsonl')
    const rows = await rowsOf(await readBytes(file, call.terminal), format)
    const client = await call.client()
    const progress = createProgress(call.terminal, 'Users', rows.length)
    let [done, existing, failed] = [0, 0, 0]
    await forEachConcurrently(rows, concurrency, async (row) => {
      const outcome = 'error' in row ? { error: row.error } : await create(row)
      progress.show(++done)
      if ('error' in outcome) {
        failed++
        progress.end()
        call.terminal.stderr.write(`Row ${row.row}: ${terminalText(outcome.error)}\n`)
      } else if (!outcome.isNew) existing++
      if (call.json) call.print({ row: row.row, ...outcome }, '')
    }).finally(progress.end)
    const created = countOf(rows.length - existing - failed, 'user')
    const alreadyExisted = existing > 0 ? ` ${existing} already existed,` : ''
    if (!call.json) call.print(undefined, `Created ${created},${alreadyExisted} ${failed} failed`)
    return failed === 0 ? 0 : 1

    async function create({ key, user }: { key: string; user: NewUser }): Promise<Outcome> {
      try {
        const answer = await client.POST('/v1/users', { body: user, headers: { 'Idempotency-Key': key } })
        const { id } = await dataOf(Promise.resolve(answer))
        return { id, isNew: !answer.response.headers.has('Idempotency-Replayed') }
      } catch (error) {
        if (!(error instanceof TrustwrightError) || error.status === 401) throw error
        return { error: error.message }
      }
    }
  },
}

/** The file is in memory, so only a row has a limit. */
const limits = { maxBytes: Number.POSITIVE_INFINITY, maxRows: Number.POSITIVE_INFINITY, maxRowBytes: 1_000_000 }

/** Reads all rows before the first user is created. Throws a `UsageError` if the file is not a table. */
async function rowsOf(content: Buffer, format: 'csv' | 'jsonl'): Promise<Row[]> {
  // Loaded on demand, because the help does not need it.
  const { readTable } = await import('../../../../shared/formats/table-file/read-table.ts')
  const digest = createHash('sha256').update(content).digest('base64url')
  const rows: Row[] = []
  try {
    for await (const portion of readTable(Readable.from([content]), { format, ...limits }))
      for (const row of portion.rows) rows.push(rowOf(row, format, digest))
  } catch (error) {
    throw error instanceof TableError ? new UsageError(terminalText(error.message)) : error
  }
  return rows
}

/** Two equal rows of a file are two users. So are equal rows of two files. */
function rowOf({ number, values, error }: TableRow, format: 'csv' | 'jsonl', digest: string): Row {
  const user = error ? error.message : format === 'jsonl' ? values : userOfCells(values)
  return typeof user === 'string'
    ? { row: number, error: user }
    : { row: number, key: `users-import-${digest}-${number}`, user }
}

/** Returns the user with the claims of a row of CSV, or what is wrong. */
function userOfCells(values: Record<string, unknown>): NewUser | string {
  const claims = {}
  for (const [name, value] of Object.entries(values)) {
    if (!setClaim(claims, name.split('.'), String(value)))
      return `The column ${name} is a member of a column that is not an object`
  }
  return { claims }
}

/** Sets a claim, unless its value is empty. Returns false if a part of its path is not an object. */
function setClaim(claims: object, [name = '', ...rest]: string[], value: string): boolean {
  if (value === '') return true
  const members = claims as Record<string, unknown>
  const existing = Object.hasOwn(members, name) ? members[name] : undefined
  if (rest.length === 0) {
    if (existing !== undefined) return false
    Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
    return true
  }
  const within = existing ?? {}
  if (!isJsonObject(within)) return false
  Object.defineProperty(members, name, { value: within, enumerable: true, configurable: true, writable: true })
  return setClaim(within, rest, value)
}

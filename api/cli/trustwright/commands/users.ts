import { createHash } from 'node:crypto'
import { dataOf, type paths, TrustwrightError } from '../../../../shared/client/client.ts'
import { type Command, textOf, UsageError } from '../command.ts'
import { forEachConcurrently } from '../concurrently.ts'
import { countOf } from '../count-of.ts'
import { parseCsv } from '../csv.ts'
import { createProgress } from '../progress.ts'
import { readInput } from '../read-input.ts'

type NewUser = NonNullable<paths['/v1/users']['post']['requestBody']>['content']['application/json']
type Row = { line: number; key: string; user: NewUser } | { line: number; error: string }
type Outcome = { id: string; isNew: boolean } | { error: string }

const concurrency = 8

export const importUsers: Command = {
  name: 'users import',
  usage: 'FILE',
  summary: 'Create a user for each line of a file',
  options: {
    format: {
      type: 'string',
      value: 'FORMAT',
      choices: ['csv', 'jsonl'],
      help: 'csv or jsonl. Default: csv for a file *.csv, otherwise jsonl',
    },
  },
  details: [
    'jsonl: each line is the body of POST /v1/users, such as {"claims": {"given_name": "Ada"}}.',
    'csv: the first line has the names of the claims. "address.city" is the member city of the claim address. An empty field is no claim.',
    'Each line has its own Idempotency-Key. Within 24 hours, a repeated import of the file creates nothing twice.',
  ],
  examples: ['trustwright users import users.csv', 'trustwright users import users.jsonl --json > created.jsonl'],
  async run(running) {
    const [file, ...more] = running.positionals
    if (file === undefined || more.length > 0) throw new UsageError('Give one file, or - for standard input')
    const format = textOf(running, 'format') ?? (file.endsWith('.csv') ? 'csv' : 'jsonl')
    if (format !== 'csv' && format !== 'jsonl') throw new UsageError('--format must be csv or jsonl')
    const content = (await readInput(file, running.terminal)).replace(/^\uFEFF/, '')
    const rows = format === 'csv' ? rowsOfCsv(content) : rowsOfJson(content)
    const client = await running.client()
    const progress = createProgress(running.terminal, 'Users', rows.length)
    let [done, existing, failed] = [0, 0, 0]
    await forEachConcurrently(rows, concurrency, async (row) => {
      const outcome = 'error' in row ? { error: row.error } : await create(row)
      progress.show(++done)
      if ('error' in outcome) {
        failed++
        progress.end()
        running.terminal.stderr.write(`Line ${row.line}: ${outcome.error}\n`)
      } else if (!outcome.isNew) existing++
      if (running.json) running.print({ line: row.line, ...outcome }, '')
    }).finally(progress.end)
    const created = countOf(rows.length - existing - failed, 'user')
    const alreadyExisted = existing > 0 ? ` ${existing} already existed,` : ''
    if (!running.json) running.print(undefined, `Created ${created},${alreadyExisted} ${failed} failed`)
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

function rowsOfJson(content: string): Row[] {
  return content.split('\n').flatMap((text, index): Row[] => {
    if (text.trim() === '') return []
    const line = index + 1
    try {
      const user = JSON.parse(text)
      if (isObject(user)) return [{ line, key: keyOf(line, user), user }]
      return [{ line, error: 'Not a JSON object' }]
    } catch (error) {
      return [{ line, error: `Not JSON: ${(error as Error).message}` }]
    }
  })
}

function rowsOfCsv(content: string): Row[] {
  const [header, ...rows] = csvOf(content)
  if (!header) throw new UsageError('The file is empty')
  const names = header.fields.map((name) => name.trim())
  if (names.includes('')) throw new UsageError('A column of the first line has no name')
  return rows.map(({ line, fields }) => {
    if (fields.length !== names.length)
      return { line, error: `The line has ${countOf(fields.length, 'field')}, the first line ${names.length}` }
    const claims = {}
    for (const [index, name] of names.entries())
      if (!setClaim(claims, name.split('.'), fields[index] ?? ''))
        return { line, error: `The column ${name} is a member of a column that is not an object` }
    const user = { claims }
    return { line, key: keyOf(line, user), user }
  })
}

function csvOf(content: string) {
  try {
    return parseCsv(content)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
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
  if (!isObject(within)) return false
  Object.defineProperty(members, name, { value: within, enumerable: true, configurable: true, writable: true })
  return setClaim(within, rest, value)
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Two equal lines of a file are two users. */
function keyOf(line: number, user: object): string {
  const digest = createHash('sha256')
    .update(`${line}\n${JSON.stringify(user)}`)
    .digest('base64url')
  return `users-import-${digest}`
}

import { pipeline } from 'node:stream/promises'
import { dataOf, itemsOf, type paths } from '../../../../shared/client/client.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import type { UploadOptions } from '../bulk/upload.ts'
import { type Command, type CommandCall, choiceOf, type Option, textOf, textsOf, UsageError } from '../command.ts'
import { configurationsOption } from '../configuration-ids.ts'
import { countOf } from '../count-of.ts'
import { lifetimeOf, lifetimeOption } from '../lifetime-option.ts'
import { linkStates } from './links.ts'

type Bulk = paths['/v1/bulk-issuances/{id}']['get']['responses'][200]['content']['application/json']

const modes = ['sign', 'links']
const out: Option = { type: 'string', value: 'FILE', help: 'The results: JSON Lines for *.jsonl, otherwise CSV' }

const runOptions: Record<string, Option> = {
  out,
  configuration: configurationsOption,
  'external-id': { type: 'string', value: 'COLUMN', help: 'The column with your id of each row' },
  mode: { type: 'string', value: 'MODE', choices: modes, help: 'sign or links. Default: sign' },
  column: {
    type: 'string',
    multiple: true,
    value: 'NAME=PATH',
    help: 'The path of the claim of a column. Can be repeated. Default: the names of the columns',
  },
  keep: {
    type: 'string',
    multiple: true,
    value: 'COLUMN',
    help: 'A column whose cells come back in the results, such as email. Can be repeated',
  },
  'user-id': { type: 'string', value: 'COLUMN', help: 'The column with the id of the user of each row' },
  'expires-in': lifetimeOption,
  code: { type: 'boolean', help: 'Links require a transaction code' },
  'sign-in': {
    type: 'string',
    value: 'CLAIM',
    help: 'Links require a sign-in whose CLAIM equals that of the row. any: no claim is compared',
  },
  'accept-unverified': {
    type: 'boolean',
    help: 'With --sign-in: also match an email or phone number that is not verified',
  },
  'on-duplicate': {
    type: 'string',
    value: 'WHAT',
    choices: ['fail', 'skip'],
    help: 'A repeated id refuses the file (fail), or only its row (skip). Default: fail',
  },
  format: {
    type: 'string',
    value: 'FORMAT',
    choices: ['csv', 'jsonl'],
    help: 'The format of FILE. Default: by its name',
  },
  errors: { type: 'string', value: 'FILE', help: 'Write rows with an error to this CSV file' },
  'validate-only': { type: 'boolean', help: 'Only check the rows' },
  resume: { type: 'string', value: 'ID', help: 'Continue with a bulk issuance instead of a file' },
}

const runCommand: Command = {
  name: 'bulk run',
  usage: 'FILE',
  summary: 'Issue a credential or a claim link to each row of a file, and save the results',
  options: runOptions,
  details: [
    'The state is in OUT.state until the results are saved. The same command then continues, and uploads nothing twice.',
    'Ctrl-C ends the command only. The service continues.',
  ],
  examples: [
    'trustwright bulk run people.csv --out results.csv --configuration ID --external-id number',
    `trustwright bulk run people.csv --out results.csv -c 'Student card' --external-id No --column 'Given name=claims.given_name'`,
    'trustwright bulk run --resume ID --out results.csv',
  ],
  async run(call) {
    const upload = uploadOf(call)
    // Loaded on demand, because the help of the command does not need it.
    const { orderOf, runBulk } = await import('../bulk/run-bulk.ts')
    return runBulk(call, orderOf(call, upload))
  },
}

function uploadOf(call: CommandCall): UploadOptions | undefined {
  const [file] = call.positionals
  if (textOf(call, 'resume') !== undefined) {
    if (file !== undefined) throw new UsageError('Give a file or --resume, not both')
    return undefined
  }
  if (file === undefined) throw new UsageError('Give one file')
  return { file, format: choiceOf(call, 'format', ['csv', 'jsonl']), fields: fieldsOf(call) }
}

/** Returns the parts of the form. Nothing is issued before the command starts it. */
function fieldsOf(call: CommandCall): [name: string, value: string][] {
  const configurations = textsOf(call, 'configuration')
  const columns = textsOf(call, 'column').map(columnOf)
  const lifetime = lifetimeOf(call)
  const fields: [string, string | undefined][] = [
    ['mode', choiceOf(call, 'mode', modes) ?? 'sign'],
    ...configurations.map((id): [string, string] => ['configurationIds', id]),
    ['externalId', textOf(call, 'external-id')],
    ['columns', columns.length === 0 ? undefined : JSON.stringify(Object.fromEntries(columns))],
    ...textsOf(call, 'keep').map((column): [string, string] => ['keepColumns', column]),
    ['userIdColumn', textOf(call, 'user-id')],
    ['expiresIn', lifetime && JSON.stringify(lifetime)],
    ['transactionCode', call.values.code === true ? '{}' : undefined],
    ['signIn', signInOf(call)],
    ['onDuplicate', choiceOf(call, 'on-duplicate', ['fail', 'skip'])],
    ['validateOnly', 'true'],
  ]
  if (configurations.length === 0) throw new UsageError('--configuration is required')
  if (textOf(call, 'external-id') === undefined) throw new UsageError('--external-id is required')
  return fields.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
}

function signInOf(call: CommandCall): string | undefined {
  const claim = textOf(call, 'sign-in')
  const acceptUnverified = call.values['accept-unverified'] === true
  if (acceptUnverified && (claim === undefined || claim === 'any'))
    throw new UsageError('--accept-unverified needs --sign-in email or --sign-in phone_number')
  if (claim === undefined || claim === 'any') return claim && 'true'
  return JSON.stringify({ claim, ...(acceptUnverified && { acceptUnverified }) })
}

function columnOf(text: string): [column: string, path: string] {
  const [, column, path] = /^(.+)=(claims[.[].+)$/su.exec(text) ?? []
  if (column !== undefined && path !== undefined) return [column, path]
  throw new UsageError('--column must be NAME=PATH, such as "Given name=claims.given_name"')
}

function idOf({ positionals: [id] }: CommandCall): string {
  if (id === undefined) throw new UsageError('Give the id of one bulk issuance')
  return id
}

function lineOf({ id, state, total, valid, invalid, done, failed, links, fileName, createdAt, failure }: Bulk): string {
  const counts = `${countOf(total, 'row')}, ${valid} valid, ${invalid} invalid, ${done} done, ${failed} failed`
  const byState = links ? `  links: ${linkStates.map((each) => `${links[each]} ${each}`).join(', ')}` : ''
  const name = terminalText(fileName)
  const reason = failure ? `  ${failure.code}: ${terminalText(failure.message)}` : ''
  return `${id}  ${state.padEnd(10)}  ${createdAt}  ${name}  ${counts}${byState}${reason}`
}

const listCommand: Command = {
  name: 'bulk list',
  usage: '',
  summary: 'List the bulk issuances with their progress, the newest first',
  options: {},
  examples: ['trustwright bulk list', 'trustwright bulk list --json'],
  async run(call) {
    const client = await call.client()
    const bulks = itemsOf((page) =>
      client.GET('/v1/bulk-issuances', { params: { query: { ...page, order: 'newest' } } }),
    )
    for await (const bulk of bulks) call.print(bulk, lineOf(bulk))
  },
}

const showCommand: Command = {
  name: 'bulk show',
  usage: 'ID',
  summary: 'Show a bulk issuance with its progress',
  options: {},
  examples: ['trustwright bulk show ID'],
  async run(call) {
    const path = { id: idOf(call) }
    const bulk = await dataOf((await call.client()).GET('/v1/bulk-issuances/{id}', { params: { path } }))
    call.print(bulk, lineOf(bulk))
  },
}

const verbs = {
  start: 'Issue the valid rows of a bulk issuance that was only validated',
  pause: 'Pause a bulk issuance',
  resume: 'Continue a paused bulk issuance',
  cancel: 'Cancel a bulk issuance. Issued credentials stay valid',
  retry: 'Issue the rows again that could not be signed',
}

const changes = Object.entries(verbs).map(
  ([verb, summary]): Command => ({
    name: `bulk ${verb}`,
    usage: 'ID',
    summary,
    options: {},
    examples: [`trustwright bulk ${verb} ID`],
    async run(call) {
      const path = { id: idOf(call) }
      // Boundary: the operations have the same types.
      const operation = `/v1/bulk-issuances/{id}/${verb}` as '/v1/bulk-issuances/{id}/start'
      const bulk = await dataOf((await call.client()).POST(operation, { params: { path } }))
      call.print(bulk, lineOf(bulk))
    },
  }),
)

const resultsCommand: Command = {
  name: 'bulk results',
  usage: 'ID',
  summary: 'Save the results of a bulk issuance, or print them',
  options: {
    out,
    state: { type: 'string', value: 'STATE', choices: linkStates, help: 'Print only the links in this state' },
  },
  details: ['Without --out they are printed as CSV, or as JSON Lines with --json.'],
  examples: [
    'trustwright bulk results ID --out results.csv',
    'trustwright bulk results ID --json',
    'trustwright bulk results ID --state open > open.csv',
  ],
  async run(call) {
    const id = idOf(call)
    const file = textOf(call, 'out')
    const state = choiceOf(call, 'state', linkStates)
    if (state && file !== undefined) throw new UsageError('--state prints the links. Leave --out away')
    const { readResults, saveResults } = await import('../bulk/results.ts')
    const client = await call.client()
    if (file !== undefined) {
      const { stderr } = call.terminal
      await saveResults(client, id, file, { signal: new AbortController().signal, stderr })
      return 0
    }
    const results = await readResults(client, id, { format: call.json ? 'jsonl' : 'csv', state })
    await pipeline(results, call.terminal.stdout, { end: false })
    return 0
  },
}

const errorsCommand: Command = {
  name: 'bulk errors',
  usage: 'ID',
  summary: 'List the rows of a bulk issuance that have an error or could not be signed',
  options: { out: { type: 'string', value: 'FILE', help: 'Write them to this CSV file' } },
  examples: ['trustwright bulk errors ID', 'trustwright bulk errors ID --out errors.csv'],
  async run(call) {
    const file = textOf(call, 'out')
    const { lineOfRow, writeErrors, wrongRows } = await import('../bulk/rows.ts')
    const rows = wrongRows(await call.client(), idOf(call))
    if (file !== undefined) return writeErrors(file, rows).then(() => 0)
    for await (const row of rows) call.print(row, lineOfRow(row))
    return 0
  },
}

export const bulkCommands = [runCommand, listCommand, showCommand, ...changes, resultsCommand, errorsCommand]

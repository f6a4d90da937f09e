import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, dataOf, itemsOf, type paths, TrustwrightError } from '../../../../shared/client/client.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, type CommandCall, choiceOf, textOf, textsOf, UsageError } from '../command.ts'
import { countOf } from '../count-of.ts'
import { lifetimeOf, lifetimeOption } from '../lifetime-option.ts'

type Rows = paths['/v1/bulk-issuances/{id}/rows']['get']['responses'][200]['content']['application/json']
type Row = Rows['data'][number]

export const linkStates = ['open', 'opened', 'collected', 'expired', 'revoked'] as const
const externalId = 'external-id'

export const listLinks: Command = {
  name: 'links list',
  usage: '[ID]',
  summary: 'List the claim links of a bulk issuance, or of all, with their state',
  details: [
    'A link for one person is the row 1 of its own bulk issuance. The addresses are in "trustwright bulk results ID --state STATE".',
  ],
  options: {
    state: {
      type: 'string',
      value: 'STATE',
      choices: linkStates,
      help: `Only links in this state: ${linkStates.join(', ')}`,
    },
    [externalId]: { type: 'string', value: 'ID', help: 'Only the link with your id' },
  },
  examples: [
    'trustwright links list ID --state expired',
    'trustwright links list --external-id 2026-0007',
    'trustwright links list ID --json',
  ],
  async run(call) {
    const state = choiceOf(call, 'state', linkStates)
    const [id] = call.positionals
    const client = await call.client()
    const of = textOf(call, externalId)
    for await (const bulkIssuanceId of id === undefined ? bulksWithLinks(client) : [id])
      for await (const row of linksOf(client, bulkIssuanceId, { state, externalId: of }))
        call.print({ bulkIssuanceId, ...row }, `${bulkIssuanceId}  ${lineOf(row)}`)
  },
}

async function* bulksWithLinks(client: ApiClient): AsyncGenerator<string> {
  for (const source of ['file', 'person'] as const) {
    const all = itemsOf((page) => client.GET('/v1/bulk-issuances', { params: { query: { source, ...page } } }))
    for await (const { id, mode } of all) if (mode === 'links') yield id
  }
}

interface LinkFilter {
  state?: (typeof linkStates)[number] | undefined
  externalId?: string | undefined
}

/** Returns the rows that have a link. The filter by external id takes no state. */
async function* linksOf(client: ApiClient, id: string, { state, externalId: of }: LinkFilter): AsyncGenerator<Row> {
  const filter = of === undefined ? { state: state ?? ('done' as const) } : { externalId: of }
  const rows = itemsOf((page) =>
    client.GET('/v1/bulk-issuances/{id}/rows', { params: { path: { id }, query: { ...filter, ...page } } }),
  )
  for await (const row of rows) if (linkStates.some((each) => each === row.state && each === (state ?? each))) yield row
}

function lineOf({ row, state, externalId: of, label, expiresAt, endedAt }: Row): string {
  const time = endedAt === undefined ? `ends ${expiresAt}` : `ended ${endedAt}`
  return [String(row), state.padEnd(9), time, of, label]
    .flatMap((each) => (each === undefined ? [] : [terminalText(each)]))
    .join('  ')
}

export const renewLinks: Command = {
  name: 'links renew',
  usage: 'ID [ROW...]',
  summary: 'Give claim links of a bulk issuance a new address, a new transaction code and a new end',
  details: [
    'The old addresses are then invalid. The output is the only answer with the new transaction codes.',
    'No mail is sent: The page "Send claim links" of the documentation has a program that sends links.',
  ],
  options: {
    [externalId]: {
      type: 'string',
      multiple: true,
      value: 'ID',
      help: 'The link with your id, instead of its row. Can be repeated',
    },
    'expires-in': lifetimeOption,
    expired: { type: 'boolean', help: 'All links that have expired. Waits until they are renewed' },
  },
  examples: [
    'trustwright links renew ID 1',
    'trustwright links renew ID --expired',
    'trustwright links renew ID --external-id 2026-0007 --expires-in 14d',
    'trustwright links renew ID 3 8 15 --json > renewed.jsonl',
  ],
  async run(call) {
    const [id, ...numbers] = call.positionals
    if (id === undefined) throw new UsageError('Give the id of one bulk issuance. trustwright links list shows the ids')
    const expiresIn = lifetimeOf(call)
    const own = textsOf(call, externalId)
    const rows = numbers.map(rowOf)
    const isExpired = call.values.expired === true
    if (isExpired === rows.length + own.length > 0)
      throw new UsageError('Give the rows of the links, or --external-id, or only --expired')
    const client = await call.client()
    if (isExpired) return renewExpired(call, client, { id, expiresIn })
    for (const each of own) rows.push(await rowOfExternalId(client, id, each))
    let failed = 0
    for (const row of new Set(rows)) if (!(await renew(call, client, { id, row, expiresIn }))) failed++
    return failed === 0 ? 0 : 1
  },
}

function rowOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`A row must be a number from 1, and not ${terminalText(text)}`)
}

async function rowOfExternalId(client: ApiClient, id: string, of: string): Promise<number> {
  for await (const { row } of linksOf(client, id, { externalId: of })) return row
  throw new UsageError(`The bulk issuance ${id} has no link with the external id ${terminalText(of)}`)
}

const pollEveryMs = 1_000

/** Renews all expired links and waits for the end. Prints the outcome. The results of the bulk issuance have the new links. */
async function renewExpired(
  call: CommandCall,
  client: ApiClient,
  { id, expiresIn }: Omit<Renewal, 'row'>,
): Promise<number> {
  const params = { path: { id } }
  const body = expiresIn ? { expiresIn } : {}
  let renewal = await dataOf(client.POST('/v1/bulk-issuances/{id}/renew-expired-links', { params, body }))
  while (renewal.state === 'running') {
    await sleep(pollEveryMs)
    const { linkRenewal } = await dataOf(client.GET('/v1/bulk-issuances/{id}', { params }))
    renewal = linkRenewal ?? renewal
  }
  call.print(renewal, outcomeOf(id, renewal))
  return renewal.state === 'done' ? 0 : 1
}

function outcomeOf(id: string, { state, renewed, expiresAt }: LinkRenewal): string {
  const links = `${countOf(renewed, 'expired link')}`
  const results = `The new links: trustwright bulk results ${id}`
  if (state === 'done')
    return renewed === 0
      ? 'No link has expired, so none was renewed.'
      : `Renewed ${links} until ${expiresAt}. ${results}`
  const reason = 'because a configuration of the links was deleted'
  return renewed === 0 ? `Renewed no link, ${reason}.` : `Renewed only ${links}, ${reason}. ${results}`
}

type LinkRenewal =
  paths['/v1/bulk-issuances/{id}/renew-expired-links']['post']['responses'][202]['content']['application/json']

interface Renewal {
  id: string
  row: number
  expiresIn: ReturnType<typeof lifetimeOf>
}

/** Renews a link and prints it. Prints a refusal to standard error and returns false, so that the other links are renewed. */
async function renew(call: CommandCall, client: ApiClient, { id, row, expiresIn }: Renewal): Promise<boolean> {
  const params = { path: { id, row: String(row) } }
  const body = expiresIn ? { expiresIn } : {}
  try {
    const link = await dataOf(client.POST('/v1/bulk-issuances/{id}/rows/{row}/link', { params, body }))
    const code = link.transactionCode === undefined ? [] : [`code ${link.transactionCode}`]
    call.print(link, [String(link.row), link.link, ...code, `ends ${link.expiresAt}`].join('  '))
    return true
  } catch (error) {
    if (!(error instanceof TrustwrightError) || error.status === 401 || error.status === 403) throw error
    call.terminal.stderr.write(`Row ${row}: ${terminalText(error.message)}\n`)
    return false
  }
}

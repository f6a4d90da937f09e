import { dataOf, itemsOf, type paths } from '../../../../shared/client/client.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, type CommandCall, choiceOf, textOf, UsageError } from '../command.ts'
import { configurationIdsOf } from '../configuration-ids.ts'
import { qrOf } from '../qr.ts'

type Details = paths['/v1/openid/offers/{id}/details']['get']['responses'][200]['content']['application/json']
type Offer = Omit<Details, 'uri' | 'qr' | 'transactionCode'>
type Timeline = paths['/v1/openid/offers/{id}/timeline']['get']['responses'][200]['content']['application/json']
type Step = Timeline['data'][number]

const states = ['usable', 'spent', 'claimed', 'ended', 'expired'] as const

export const findOffers: Command = {
  name: 'offers list',
  usage: '',
  summary: 'List the offers with their state, the newest first',
  options: {
    state: { type: 'string', value: 'STATE', choices: states, help: `Only offers in this state: ${states.join(', ')}` },
    configuration: {
      type: 'string',
      short: 'c',
      value: 'NAME',
      help: 'Only offers of this configuration: its name or its id',
    },
    user: { type: 'string', value: 'ID', help: 'Only offers of this user' },
    failed: { type: 'boolean', help: 'Only offers after a failed request, with its reason' },
  },
  examples: [
    'trustwright offers list | head -20',
    "trustwright offers list --failed --configuration 'Student card'",
    'trustwright offers list --state usable --json',
  ],
  async run(call) {
    const state = choiceOf(call, 'state', states)
    const userId = textOf(call, 'user')
    const configuration = textOf(call, 'configuration')
    const client = await call.client()
    const [configurationId] = configuration === undefined ? [] : await configurationIdsOf(client, [configuration])
    const filter = {
      order: 'newest' as const,
      ...(state && { state }),
      ...(userId !== undefined && { userId }),
      ...(configurationId !== undefined && { configurationId }),
      ...(call.values.failed === true && { failed: 'true' as const }),
    }
    const all = itemsOf((page) => client.GET('/v1/openid/offers', { params: { query: { ...filter, ...page } } }))
    for await (const offer of all) call.print(offer, lineOf(offer))
  },
}

function lineOf({ id, state, kind, createdAt, label, failure }: Offer): string {
  const reason = failure && `${failure.check ?? 'service'}: ${failure.reason}`
  return [id, state.padEnd(7), createdAt, kind, label, reason]
    .flatMap((each) => (each === undefined ? [] : [terminalText(each)]))
    .join('  ')
}

export const showOffer: Command = {
  name: 'offers show',
  usage: 'ID',
  summary: 'Show an offer with its state, its failure and its link',
  options: { qr: { type: 'boolean', help: 'Show the offer as a QR code, if it is usable' } },
  examples: ['trustwright offers show ID', 'trustwright offers show ID --qr'],
  async run(call) {
    const path = { id: idOf(call) }
    const offer = await dataOf((await call.client()).GET('/v1/openid/offers/{id}/details', { params: { path } }))
    const code = call.values.qr === true && offer.qr !== undefined ? `${await qrOf(offer.qr)}\n` : ''
    call.print(offer, code + textOfOffer(offer))
  },
}

function textOfOffer({ state, kind, credentials, userId, label, createdAt, expiresAt, failure, uri, page }: Details) {
  const facts: [string, string | undefined][] = [
    ['State', state],
    ['Kind', kind],
    ['Configurations', credentials.join(', ')],
    ['User', userId],
    ['Label', label],
    ['Created', createdAt],
    ['Expires', expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()],
    ['Failure', failure && `${failure.at}  ${failure.check ?? 'service'}: ${failure.reason}`],
    ['Offer', uri],
    ['Page', page],
  ]
  const width = Math.max(...facts.map(([name]) => name.length)) + 1
  return facts
    .flatMap(([name, value]) => (value === undefined ? [] : [`${`${name}:`.padEnd(width)} ${terminalText(value)}`]))
    .join('\n')
}

export const showTimeline: Command = {
  name: 'offers timeline',
  usage: 'ID',
  summary: 'Show the steps of an offer, and the check that refused a step',
  options: {},
  examples: ['trustwright offers timeline ID', 'trustwright offers timeline ID --json'],
  async run(call) {
    const path = { id: idOf(call) }
    const client = await call.client()
    const { data } = await dataOf(client.GET('/v1/openid/offers/{id}/timeline', { params: { path } }))
    if (call.json) call.print(data, '')
    else for (const step of data) call.print(step, lineOfStep(step))
  },
}

function lineOfStep({ at, step, outcome, reason, refusedBy, webhookHost }: Step): string {
  const check = refusedBy && `${refusedBy.check} (${refusedBy.clause})`
  return [at, outcome, step.padEnd(22), check, reason, webhookHost]
    .flatMap((each) => (each === undefined ? [] : [terminalText(each)]))
    .join('  ')
    .trimEnd()
}

function idOf({ positionals: [id] }: CommandCall): string {
  if (id === undefined) throw new UsageError('Give the id of one offer. trustwright offers list shows the ids')
  return id
}

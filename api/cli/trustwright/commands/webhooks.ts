import { setTimeout as sleep } from 'node:timers/promises'
import { dataOf, type paths } from '../../../../shared/client/client.ts'
import { type Command, type CommandCall, textOf, UsageError } from '../command.ts'
import { countOf } from '../count-of.ts'

type Delivery = paths['/v1/webhooks/{webhookId}/test']['post']['responses'][202]['content']['application/json']

const states = ['delivered', 'failed'] as const
const pollEveryMs = 500

export const triggerWebhook: Command = {
  name: 'webhooks trigger',
  usage: 'WEBHOOK',
  summary: 'Send a test event to a webhook, and show the first attempt',
  options: {
    wait: { type: 'string', value: 'SECONDS', help: 'How long to wait for the first attempt. Default: 30' },
  },
  examples: ['trustwright webhooks trigger ID', 'trustwright webhooks trigger ID --wait 0 --json'],
  async run(call) {
    const webhookId = webhookOf(call)
    const waitMs = Number(textOf(call, 'wait') ?? '30') * 1000
    if (!(waitMs >= 0)) throw new UsageError('--wait must be a number of seconds')
    const client = await call.client()
    const path = { webhookId }
    let delivery = await dataOf(client.POST('/v1/webhooks/{webhookId}/test', { params: { path } }))
    const endsAt = Date.now() + waitMs
    while (delivery.attempts.length === 0 && Date.now() < endsAt) {
      await sleep(pollEveryMs)
      const query = { order: 'newest' } as const
      const { data } = await dataOf(client.GET('/v1/webhooks/{webhookId}/deliveries', { params: { path, query } }))
      delivery = data.find(({ id }) => id === delivery.id) ?? delivery
    }
    call.print(delivery, textOfDelivery(delivery))
    return waitMs === 0 || delivery.status === 'delivered' ? 0 : 1
  },
}

export const replayWebhook: Command = {
  name: 'webhooks replay',
  usage: 'WEBHOOK',
  summary: 'Repeat deliveries of a webhook: those since a time, or one',
  options: {
    since: {
      type: 'string',
      value: 'TIME',
      help: 'A time such as 2026-11-22T10:00:00Z, or an age such as 90m, 12h or 3d',
    },
    status: { type: 'string', value: 'STATUS', choices: states, help: 'Only deliveries that were delivered or failed' },
    delivery: { type: 'string', value: 'ID', help: 'One delivery' },
  },
  examples: [
    'trustwright webhooks replay ID --since 12h --status failed',
    'trustwright webhooks replay ID --delivery ID',
  ],
  async run(call) {
    const webhookId = webhookOf(call)
    const deliveryId = textOf(call, 'delivery')
    if ((deliveryId === undefined) === (textOf(call, 'since') === undefined))
      throw new UsageError('Give --since or --delivery')
    const client = await call.client()
    if (deliveryId !== undefined) {
      const params = { path: { webhookId, deliveryId } }
      const delivery = await dataOf(client.POST('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', { params }))
      call.print(delivery, textOfDelivery(delivery))
      return
    }
    const status = statusOf(call)
    const body = { since: timeOf(textOf(call, 'since')), ...(status && { status }) }
    let replayed = 0
    let cursor: string | undefined
    do {
      const params = { path: { webhookId } }
      const page = { ...body, ...(cursor !== undefined && { cursor }) }
      const made = await dataOf(client.POST('/v1/webhooks/{webhookId}/replay', { params, body: page }))
      replayed += made.replayed
      cursor = made.nextCursor
    } while (cursor !== undefined)
    call.print({ replayed }, `Queued ${countOf(replayed, 'delivery', 'deliveries')} again`)
  },
}

function webhookOf({ positionals: [id] }: CommandCall): string {
  if (id === undefined) throw new UsageError('Give the id of one webhook')
  return id
}

function statusOf(call: CommandCall): (typeof states)[number] | undefined {
  const text = textOf(call, 'status')
  const status = states.find((each) => each === text)
  if (text !== undefined && !status) throw new UsageError('--status must be delivered or failed')
  return status
}

const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns a time, which is given as a time or as an age. */
function timeOf(text: string | undefined): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text ?? '') ?? []
  const ms = count === undefined ? Date.parse(text ?? '') : Date.now() - Number(count) * (unitsMs[unit] ?? 0)
  if (Number.isNaN(ms))
    throw new UsageError('--since must be a time such as 2026-11-22T10:00:00Z, or an age such as 12h')
  return new Date(ms).toISOString()
}

function textOfDelivery({ id, type, status, attempts }: Delivery): string {
  const lines = attempts.map(({ at, status: answered, durationMs, error, answer }) =>
    [`  ${at}`, answered ?? error ?? 'no answer', `${durationMs} ms`, answer]
      .filter((part) => part !== undefined)
      .join('  '),
  )
  return [`${id}  ${type}  ${status}`, ...lines].join('\n')
}

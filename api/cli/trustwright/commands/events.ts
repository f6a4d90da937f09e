import { setTimeout as sleep } from 'node:timers/promises'
import { itemsOf } from '../../../../shared/client/client.ts'
import { type Command, textsOf } from '../command.ts'
import type { Event } from '../events/event-sentence.ts'

const pollEveryMs = 2_000
/** An event can be stored this long after its time. */
const lateByMs = 30_000

export const tailEvents: Command = {
  name: 'events tail',
  usage: '',
  summary: 'Print the events of the tenant as they happen',
  options: {
    type: { type: 'string', multiple: true, value: 'TYPE', help: 'Only events of this type. Can be repeated' },
    once: { type: 'boolean', help: 'Print the events of the last 30 seconds and end' },
  },
  details: [
    'Each request is one sentence with its event type. The ends of requests are shown, and not their beginnings.',
    'With --json all events are printed. With --type all events of the types are.',
  ],
  examples: ['trustwright events tail', 'trustwright events tail --type OPENID_CREDENTIAL_FAIL --json'],
  async run(call) {
    const client = await call.client()
    const types = textsOf(call, 'type')
    // Loaded on demand, because the help does not need it.
    const { createEventLines } = await import('../events/event-lines.ts')
    const lineOf = createEventLines(client)
    let seen = new Set<string>()
    for (let from = Date.now() - lateByMs; ; from = Date.now() - lateByMs) {
      const matches: Event[] = []
      const query = { dateFrom: new Date(from).toISOString(), ...(types.length > 0 && { types }) }
      for await (const event of itemsOf((page) =>
        client.GET('/v1/events', { params: { query: { ...query, ...page } } }),
      ))
        matches.push(event)
      const isWhole = call.json || types.length > 0
      const events = (isWhole ? matches : onePerRequest(matches)).filter(({ id }) => !seen.has(id))
      for (const event of events.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp)))
        call.print(event, call.json ? '' : await lineOf(event))
      seen = new Set(matches.map(({ id }) => id))
      if (call.values.once === true) return
      await sleep(pollEveryMs)
    }
  },
}

/** Returns one event for each request: its entry of the audit if it has one, because it has the most data, or its end. */
function onePerRequest(events: readonly Event[]): Event[] {
  const audited = new Set(events.filter(({ category }) => category === 'AUDIT').map(({ requestId }) => requestId))
  return events.filter(
    ({ type, category, requestId }) => category === 'AUDIT' || !(type.endsWith('_START') || audited.has(requestId)),
  )
}

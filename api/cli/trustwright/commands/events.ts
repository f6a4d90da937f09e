import { setTimeout as sleep } from 'node:timers/promises'
import { type components, itemsOf } from '../../../../shared/client/client.ts'
import { type Command, textsOf } from '../command.ts'

type Event = components['schemas']['Event']

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
  examples: ['trustwright events tail', 'trustwright events tail --type OPENID_CREDENTIAL_FAIL --json'],
  async run(call) {
    const client = await call.client()
    const types = textsOf(call, 'type')
    let seen = new Set<string>()
    for (let from = Date.now() - lateByMs; ; from = Date.now() - lateByMs) {
      const matches: Event[] = []
      const query = { dateFrom: new Date(from).toISOString(), ...(types.length > 0 && { types }) }
      for await (const event of itemsOf((page) =>
        client.GET('/v1/events', { params: { query: { ...query, ...page } } }),
      ))
        matches.push(event)
      for (const event of matches.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp)))
        if (!seen.has(event.id)) call.print(event, lineOf(event))
      seen = new Set(matches.map(({ id }) => id))
      if (call.values.once === true) return
      await sleep(pollEveryMs)
    }
  },
}

function lineOf({ timestamp, type, data }: Event): string {
  return `${timestamp}  ${type}  ${JSON.stringify(data)}`
}

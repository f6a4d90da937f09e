import type { ApiClient } from '../../../../shared/client/client.ts'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { createNames, type Names } from '../names.ts'
import { type Event, type EventNames, sentenceOfEvent } from './event-sentence.ts'

/** Returns a function that returns an event as a line of text. */
export function createEventLines(client: ApiClient): (event: Event) => Promise<string> {
  const names = createNames(client)
  return async (event) =>
    `${event.timestamp}  ${terminalText(sentenceOfEvent(event, await namesIn(event, names)))}  (${event.type})`
}

async function namesIn(event: Event, names: Names): Promise<EventNames> {
  const { tenantId, walletClientId, data } = event
  const { filter } = data
  const id = isJsonObject(filter) && typeof filter.configurationId === 'string' ? filter.configurationId : undefined
  const wallet = walletClientId === undefined ? undefined : `The wallet ${walletClientId}`
  return {
    caller: (await names.ofCaller(tenantId, event)) ?? wallet,
    configuration: id === undefined ? undefined : await names.ofConfiguration(id),
  }
}

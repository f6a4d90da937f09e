import { type ApiClient, dataOf, itemsOf, TrustwrightError } from '../../../../shared/client/client.ts'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { configurationsOf } from '../configuration-ids.ts'
import { type Event, type EventNames, sentenceOfEvent } from './event-sentence.ts'

/** Returns a function that returns an event as a line of text. */
export function createEventLines(client: ApiClient): (event: Event) => Promise<string> {
  const findNames = createEventNames(client)
  return async (event) =>
    `${event.timestamp}  ${terminalText(sentenceOfEvent(event, await findNames(event)))}  (${event.type})`
}

/** Returns a function that finds the names of an event. Each name is requested once. A name that the roles may not read is an id. */
function createEventNames(client: ApiClient): (event: Event) => Promise<EventNames> {
  const names = new Map<string, Promise<string | undefined>>()

  function nameOf(key: string, read: () => Promise<string | undefined>): Promise<string | undefined> {
    const name = names.get(key) ?? read().catch(ignoreRefusal)
    names.set(key, name)
    return name
  }

  async function callerOf({ tenantId, clientId, managementUserId, walletClientId }: Event) {
    if (managementUserId !== undefined)
      return (
        (await nameOf(`person ${managementUserId}`, () => personName(client, managementUserId))) ?? managementUserId
      )
    if (clientId !== undefined)
      return (
        (await nameOf(`client ${clientId}`, () => clientName(client, { tenantId, clientId }))) ?? `Client ${clientId}`
      )
    return walletClientId === undefined ? undefined : `The wallet ${walletClientId}`
  }

  return async (event) => {
    const { filter } = event.data
    const id = isJsonObject(filter) && typeof filter.configurationId === 'string' ? filter.configurationId : undefined
    const configuration = id && ((await nameOf(`configuration ${id}`, () => configurationName(client, id))) ?? id)
    return { caller: await callerOf(event), configuration }
  }
}

/** Returns the name of a person who has a session. */
async function personName(client: ApiClient, managementUserId: string): Promise<string | undefined> {
  const query = { managementUserId }
  for await (const { name } of itemsOf((page) =>
    client.GET('/v1/console-sessions', { params: { query: { ...query, ...page } } }),
  ))
    return name
  return undefined
}

async function clientName(client: ApiClient, path: { tenantId: string; clientId: string }): Promise<string> {
  return (await dataOf(client.GET('/v1/tenants/{tenantId}/clients/{clientId}', { params: { path } }))).name
}

async function configurationName(client: ApiClient, id: string): Promise<string | undefined> {
  for await (const configuration of configurationsOf(client)) if (configuration.id === id) return configuration.name
  return undefined
}

/** The roles may not show a name, and an object can be deleted. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof TrustwrightError && (error.status === 403 || error.status === 404)) return undefined
  throw error
}

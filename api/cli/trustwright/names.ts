import { type ApiClient, dataOf, itemsOf, TrustwrightError } from '../../../shared/client/client.ts'
import { configurationsOf } from './configuration-ids.ts'

/** Who sent a request. At most one of the ids is set. */
export interface CallerIds {
  clientId?: string | undefined
  managementUserId?: string | undefined
}

/** Finds names for texts. A name that the roles may not read is an id. */
export interface Names {
  /** Returns the name of a client or a person. Undefined if the request had none. */
  ofCaller(tenantId: string, caller: CallerIds): Promise<string | undefined>
  ofConfiguration(id: string): Promise<string>
}

/** Requests each name once. */
export function createNames(client: ApiClient): Names {
  const names = new Map<string, Promise<string | undefined>>()

  function nameOf(key: string, read: () => Promise<string | undefined>): Promise<string | undefined> {
    const name = names.get(key) ?? read().catch(ignoreRefusal)
    names.set(key, name)
    return name
  }

  return {
    async ofCaller(tenantId, { clientId, managementUserId }) {
      if (managementUserId !== undefined)
        return (
          (await nameOf(`person ${managementUserId}`, () => personName(client, managementUserId))) ?? managementUserId
        )
      if (clientId === undefined) return undefined
      return (
        (await nameOf(`client ${clientId}`, () => clientName(client, { tenantId, clientId }))) ?? `Client ${clientId}`
      )
    },
    async ofConfiguration(id) {
      return (await nameOf(`configuration ${id}`, () => configurationName(client, id))) ?? id
    },
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

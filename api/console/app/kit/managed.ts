import { signal } from '@preact/signals'
import type { paths } from '../../../../shared/client/api.d.ts'

type Page = paths['/v1/configuration/objects']['get']['responses'][200]['content']['application/json']
export type ManagedObject = Page['data'][number]

/** The objects that configuration files made, by their path in the API. */
export const managedObjects = signal<ReadonlyMap<string, ManagedObject>>(new Map())

/** A change of such an object, which waits until the user confirms or cancels it. */
export const waitingChange = signal<{ object: ManagedObject; answer(isConfirmed: boolean): void } | undefined>(
  undefined,
)

/** The files of a tenant have at most 5,000 objects. */
const maxPages = 5
const freshForMs = 10_000
let loadedAt = Number.NEGATIVE_INFINITY

/** Reads the objects that files made. Does nothing if they were read a moment ago. Without a result, nothing is marked. */
export async function loadManagedObjects(): Promise<void> {
  if (performance.now() - loadedAt < freshForMs) return
  loadedAt = performance.now()
  const objects = new Map<string, ManagedObject>()
  let cursor: string | undefined
  for (let page = 0; page < maxPages && (page === 0 || cursor); page++) {
    const query = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) })
    // The request does not use the client of the API, because the user did not ask for it.
    const response = await fetch(`/v1/configuration/objects?${query}`, { headers: { 'X-Console': 'poll' } }).catch(
      () => undefined,
    )
    if (!response?.ok) return
    const read: Page | undefined = await response.json().catch(() => undefined)
    if (!read) return
    const { data, nextCursor } = read
    for (const object of data) if (object.resource) objects.set(object.resource, object)
    cursor = nextCursor
  }
  managedObjects.value = objects
}

/** The assigned types and the certificates of a participant are in its file. */
const partOfParticipant = /^(\/v1\/ecosystems\/[^/]+\/participants\/[^/]+)\/(?:issuer|verifier)(?:\/|-certificates)/

/** Returns the object that a request changes, if files made it. */
function objectAt(method: string, path: string): ManagedObject | undefined {
  const whole = partOfParticipant.exec(path)?.[1]
  if (method === 'GET' || (method === 'POST' && whole === undefined)) return undefined
  return managedObjects.value.get(whole ?? path)
}

/** Asks the user before a request changes an object that files made. The service refuses the change if the object is locked. */
export async function confirmChange({ method, url }: Pick<Request, 'method' | 'url'>): Promise<boolean> {
  const object = objectAt(method, new URL(url).pathname)
  if (!object || object.isLocked) return true
  waitingChange.value?.answer(false)
  return new Promise((resolve) => {
    waitingChange.value = {
      object,
      answer(isConfirmed) {
        waitingChange.value = undefined
        resolve(isConfirmed)
      },
    }
  })
}

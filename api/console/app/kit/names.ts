import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Answered, api, callApi } from './api.ts'
import { nameOfConfiguration, readConfigurations } from './configurations.ts'
import { readPages } from './read-pages.ts'
import { can, type Operation, session } from './session.ts'

/** The addresses of the lists of certificates. */
const certificates = {
  iaca: '/v2/credentials/mobile/iacas',
  'document-signer': '/v2/credentials/mobile/document-signers',
  'status-list-signer': '/v2/credentials/mobile/status-list-signers',
  'sd-jwt-signer': '/v2/credentials/sd-jwt/signers',
  'ecosystem-ca': '/v1/ecosystems/certificates/ca',
  'vical-signer': '/v1/ecosystems/certificates/vical-signers',
  'rical-signer': '/v1/ecosystems/certificates/rical-signers',
} as const
type CertificateKind = keyof typeof certificates
// Boundary: the keys of an object are strings for the compiler.
export const certificateKinds = Object.keys(certificates) as CertificateKind[]

/** The kinds of objects that other objects name by id. */
export type NamedKind = 'user' | 'configuration' | 'client' | 'webhook' | 'ecosystem' | 'view' | CertificateKind

interface NamedObject {
  id: string
  name: string | undefined
  /** The path of its screen, if there is one. */
  path?: string
}

/** The known objects by kind and id. An object without a name is known too. */
const namedObjects = signal<ReadonlyMap<string, NamedObject>>(new Map())

/** When each name was requested in this session. */
let requested = new Map<string, number>()

/** A name can change. It is loaded again for a screen that is opened later. */
const maxAgeMs = 60_000

// Names can be personal data of a tenant. They end with the session.
effect(() => {
  if (session.value) return
  requested = new Map()
  namedObjects.value = new Map()
})

const keyOf = (kind: NamedKind, id: string) => `${kind} ${id}`

/** Updates the label of a user after a change. */
export function renameUser(id: string, name: string | undefined): void {
  learn('user', [{ id, name, path: `/users/${id}` }])
}

function learn(kind: NamedKind, objects: readonly NamedObject[]): void {
  namedObjects.value = new Map([...namedObjects.value, ...objects.map((each) => [keyOf(kind, each.id), each] as const)])
}

/** Returns the object with its name. Loads it first, if the roles of the user allow it. */
export function useNamed(kind: NamedKind, id: string | undefined): NamedObject | undefined {
  useEffect(() => {
    if (id !== undefined) request(kind, id)
  }, [kind, id])
  return id === undefined ? undefined : namedObjects.value.get(keyOf(kind, id))
}

function request(kind: NamedKind, id: string): void {
  const key = keyOf(kind, id)
  if (performance.now() - (requested.get(key) ?? -maxAgeMs) < maxAgeMs || !can(readers[kind])) return
  requested.set(key, performance.now())
  if (kind === 'user') requestUser(id)
  else void loadAll(kind)
}

/** The operation that loads the names of a kind. */
const readers: Record<NamedKind, Operation> = {
  user: 'searchUsers',
  configuration: 'retrieveConfigurations',
  client: 'retrieveClients',
  webhook: 'retrieveWebhooks',
  ecosystem: 'retrieveEcosystems',
  view: 'retrieveViews',
  iaca: 'retrieveIacas',
  'document-signer': 'retrieveDocumentSigners',
  'status-list-signer': 'retrieveStatusListSigners',
  'sd-jwt-signer': 'retrieveSdJwtSigners',
  'ecosystem-ca': 'retrieveEcosystemCas',
  'vical-signer': 'retrieveVicalSigners',
  'rical-signer': 'retrieveRicalSigners',
}

/** The maximum number of ids in a search. */
const maxIds = 100
let waiting: string[] = []

/** Loads the labels of all users of a screen together, without their claims. */
function requestUser(id: string): void {
  if (waiting.length === 0) setTimeout(() => void loadUsers())
  waiting.push(id)
}

async function loadUsers(): Promise<void> {
  const ids = waiting
  waiting = []
  for (let at = 0; at < ids.length; at += maxIds) {
    const body = { ids: ids.slice(at, at + maxIds), withClaims: false }
    const { data } = await callApi(api.POST('/v1/users/search', { body }))
    learn('user', data?.data.map(({ id, label }) => ({ id, name: label, path: `/users/${id}` })) ?? [])
  }
}

const loading = new Map<NamedKind, Promise<void>>()

/** Loads all objects of a kind of which a tenant has few. */
function loadAll(kind: Exclude<NamedKind, 'user'>): Promise<void> {
  const begun = loading.get(kind)
  if (begun !== undefined) return begun
  const loaded = (isCertificate(kind) ? listCertificates(kind) : lists[kind]()).then(({ data }) => {
    loading.delete(kind)
    if (data) learn(kind, data)
  })
  loading.set(kind, loaded)
  return loaded
}

type Listed<Row> = { data: readonly Row[]; nextCursor?: string }

/** Reads all pages of a list and presents its rows. */
async function all<Row>(
  ask: (query: { limit: number; cursor?: string }) => Promise<Answered<Listed<Row>>>,
  present: (row: Row) => NamedObject,
): Promise<Answered<readonly NamedObject[]>> {
  const { data: pages, problem } = await readPages((query) => ask({ limit: 1000, ...query }))
  return problem ? { problem } : { data: pages.flatMap(({ data }) => data.map(present)) }
}

const lists: Record<Exclude<NamedKind, 'user' | CertificateKind>, () => Promise<Answered<readonly NamedObject[]>>> = {
  configuration: async () => {
    const { data, problem } = await readConfigurations()
    if (problem) return { problem }
    return {
      data: data.map((each) => ({
        ...{ id: each.id, name: nameOfConfiguration(each), path: `/configurations/${each.profile}/${each.id}` },
      })),
    }
  },
  client: () => {
    const path = { tenantId: session.value?.tenantId ?? '' }
    return all(
      (query) => callApi(api.GET('/v1/tenants/{tenantId}/clients', { params: { path, query } })),
      ({ clientId, name }) => ({ id: clientId, name }),
    )
  },
  webhook: () =>
    all(
      (query) => callApi(api.GET('/v1/webhooks', { params: { query } })),
      ({ id, url }) => ({ id, name: withoutScheme(url), path: `/webhooks/${id}` }),
    ),
  ecosystem: () =>
    all(
      (query) => callApi(api.GET('/v1/ecosystems', { params: { query } })),
      ({ id, name }) => ({ id, name, path: `/ecosystems/${id}` }),
    ),
  view: () =>
    all(
      (query) => callApi(api.GET('/v1/views', { params: { query } })),
      ({ id, name }) => ({ id, name, path: '/access?tab=views' }),
    ),
}

function isCertificate(kind: NamedKind): kind is CertificateKind {
  return Object.hasOwn(certificates, kind)
}

/** Names certificates by their common name. A signer of an external root has none before its certificate is uploaded. */
function listCertificates(kind: CertificateKind): Promise<Answered<readonly NamedObject[]>> {
  return all<{ id: string; certificateData?: { commonName: string } }>(
    (query) => callApi(api.GET(certificates[kind], { params: { query } })),
    ({ id, certificateData }) => ({ id, name: certificateData?.commonName, path: `/certificates/${kind}/${id}` }),
  )
}

/** A webhook is known by its address. */
function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

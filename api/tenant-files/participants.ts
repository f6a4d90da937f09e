import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { findOperatorCertificates } from '../../db/repos/ecosystems/participant-certificates.ts'
import { findAssignments } from '../../db/repos/ecosystems/participants.ts'
import { fingerprintOf } from '../../shared/formats/certificate.ts'
import { isJsonObject } from '../../shared/formats/json-object.ts'
import { presentParticipantCertificate } from '../ecosystems/participants/certificate-routes.ts'
import { NewParticipantCertificate } from '../ecosystems/participants/certificate-schemas.ts'
import { Assignment } from '../ecosystems/participants/schemas.ts'
import { tagOf } from '../http/if-match.ts'
import { toRequestContent } from './content.ts'
import { inMember } from './in-member.ts'
import type { Executing, FileObject, Kind, KindDefinition, Reading } from './kind.ts'
import { type ChangedField, type Content, changedFields, valueAt } from './members.ts'
import { ownerIdOf } from './names.ts'

const roles = ['issuer', 'verifier'] as const
const participants = '/v1/ecosystems/:ecosystemId/participants'

/** A list in the content of a participant whose items have routes of their own. */
interface ItemList {
  /** The dotted path of the list in the content. */
  at: string
  /** The path of the list in the interface. */
  path: string
  /** Returns what identifies an item of a file, which can be wrong, or of a view. */
  keyOf(item: unknown): string | undefined
  /** The items are ids, which the body of the POST has as this member. Other items are that body. */
  idMember?: string
}

const itemLists: readonly ItemList[] = roles.flatMap((role): ItemList[] => [
  {
    at: `${role}.credentialTypes`,
    path: `${participants}/:participantId/${role}/credentials`,
    keyOf: (item) => text(isJsonObject(item) ? item.$ref : item),
    idMember: 'credentialId',
  },
  {
    at: `${role}.certificates`,
    path: `${participants}/:participantId/${role}-certificates`,
    // The same certificate can be written in several ways.
    keyOf(item) {
      const pem = isJsonObject(item) ? text(item.certificatePem) : undefined
      return pem === undefined ? undefined : fingerprintOf(pem)
    },
  },
])

const ofRole = z
  .object({
    credentialTypes: z.array(Assignment.shape.credentialId).default([]),
    certificates: z.array(NewParticipantCertificate).default([]),
  })
  .default({ credentialTypes: [], certificates: [] })

/** Participants, with their assigned types and their certificates in each role. */
export const participantKind: KindDefinition = {
  name: 'participant',
  path: participants,
  parent: { kind: 'ecosystem', param: 'ecosystemId' },
  nameOf: ({ name }) => name,
  references: Object.fromEntries(roles.map((role) => [`${role}.credentialTypes.*`, ['credential type'] as const])),
  members: {
    schemas: Object.fromEntries(roles.map((role) => [role, ofRole])),
    paths: itemLists.map(({ path }) => path),
    deletedWith: itemLists.filter(({ idMember }) => !idMember).map(({ at }) => at),
    repeatedItems,
  },
  membersOf: withSortedItems,
  override: ({ read, create, update }) => ({
    read: async (reading, ownerId) => addItems(reading, await read(reading, ownerId)),
    changesBetween: (before, after) => [
      ...changedFields(withoutItems(before), withoutItems(after)),
      ...changedItems(before, after),
    ],
    async create(executing, file) {
      const id = await create(executing, file)
      await changeItems(executing, file, id, {})
      return id
    },
    async update(executing, file, stored, fields) {
      const view = withoutItems(stored.view)
      const isOfItems = (path: string) => itemLists.some(({ at }) => path === at || path.startsWith(`${at}.`))
      // A change of items only is no change of the participant.
      if (!fields.every(({ path }) => isOfItems(path))) await update(executing, file, { ...stored, view }, fields)
      await changeItems(executing, file, stored.id, stored.view)
    },
  }),
}

/** Adds the ids of the assigned types, and the certificates as REST shows them, to the views of participants. */
async function addItems({ db, tenantId }: Reading, views: readonly Content[]): Promise<Content[]> {
  const ids = views.map(({ id }) => String(id))
  if (ids.length === 0) return []
  const assignments = await findAssignments(db, tenantId, ids)
  const typesOf = Map.groupBy(assignments, ({ participantId, role }) => `${participantId} ${role}`)
  const complete: Content[] = views.map((view) => ({ ...view }))
  for (const role of roles) {
    const certificates = await findOperatorCertificates(db, tenantId, ids, role)
    const certificatesOf = Map.groupBy(certificates, ({ participantId }) => participantId)
    for (const view of complete) {
      const id = String(view.id)
      view[role] = {
        credentialTypes: (typesOf.get(`${id} ${role}`) ?? []).map(({ credentialTypeId }) => credentialTypeId),
        certificates: (certificatesOf.get(id) ?? []).map(presentParticipantCertificate),
      }
    }
  }
  return complete
}

function withoutItems({ issuer: _issuer, verifier: _verifier, ...members }: Content): Content {
  return members
}

/** Returns a view whose items have the order of their paths or fingerprints. `paths` has the paths of types by id. */
function withSortedItems(view: Content, paths: ReadonlyMap<string, string>): Content {
  const sorted = structuredClone(view)
  for (const list of itemLists) {
    const keyOf = (item: unknown) => {
      const key = list.keyOf(item) ?? ''
      return paths.get(key) ?? key
    }
    itemsOf(list, sorted).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }
  return sorted
}

/** Returns the paths of items that are in their list twice. */
function repeatedItems(content: Content): string[] {
  return itemLists.flatMap((list) => {
    const keys = itemsOf(list, content).map(list.keyOf)
    return keys.flatMap((key, at) => (key !== undefined && keys.indexOf(key) < at ? [`${list.at}.${at}`] : []))
  })
}

/**
 * Returns the items that differ. An item that is added or removed has the path of its list. A member of an item has the number of the
 * item in `after`.
 */
function changedItems(before: Content, after: Content): ChangedField[] {
  return differencesBetween(before, after).flatMap(({ list: { at: path }, removed, items }) => [
    ...removed.map((item) => ({ path, from: item })),
    ...items.flatMap(({ item, earlier }) => (earlier === undefined ? [{ path, to: item }] : [])),
    ...items.flatMap(({ item, at, earlier = item }) =>
      changedFields(writableIn(earlier), writableIn(item), `${path}.${at}.`),
    ),
  ])
}

/** Returns the members of an item that a PUT can change. */
function writableIn(item: unknown): Content {
  if (!isJsonObject(item)) return {}
  const { certificatePem: _pem, $ref: _type, ...members } = item
  return members
}

/** The difference between two contents of a list. */
interface Difference {
  list: ItemList
  /** The items that only the earlier content has. */
  removed: unknown[]
  /** The items of the later content, with the earlier item of the same key. */
  items: { item: unknown; at: number; earlier: unknown }[]
}

function differencesBetween(before: Content, after: Content): Difference[] {
  return itemLists.map((list) => {
    const items = itemsOf(list, after)
    const keys = new Set(items.map(list.keyOf))
    const earlier = new Map(itemsOf(list, before).map((item) => [list.keyOf(item), item]))
    return {
      list,
      removed: [...earlier].filter(([key]) => !keys.has(key)).map(([, item]) => item),
      items: items.map((item, at) => ({ item, at, earlier: earlier.get(list.keyOf(item)) })),
    }
  })
}

/** Makes the lists of a participant equal to those of its file. It removes items first, so that new items have room. */
async function changeItems(
  executing: Executing,
  file: FileObject,
  participantId: string,
  before: Content,
): Promise<void> {
  const params = { ecosystemId: ownerIdOf(file, executing.ids) ?? '', participantId }
  const differences = differencesBetween(before, toRequestContent(file, executing.ids))
  for (const difference of differences) await removeItems(executing, file.kind, difference, params)
  for (const difference of differences) await writeItems(executing, file.kind, difference, params)
}

async function removeItems(
  { call, deleted }: Executing,
  { memberRoutes }: Kind,
  { list, removed }: Difference,
  params: Record<string, string>,
): Promise<void> {
  const { remove, idParam = '' } = memberRoutes.get(list.path) ?? {}
  for (const view of removed) {
    const id = idOf(view)
    // The deletion of a credential type removes its assignments.
    if (!remove || (list.idMember && deleted.has(id))) continue
    await inMember(list.at, () => call(remove, { params: { ...params, [idParam]: id } }))
  }
}

async function writeItems(
  { call }: Executing,
  { memberRoutes }: Kind,
  { list, items }: Difference,
  params: Record<string, string>,
): Promise<void> {
  const { create, replace, idParam = '' } = memberRoutes.get(list.path) ?? {}
  for (const { item, at, earlier: view } of items) {
    await inMember(`${list.at}.${at}`, async () => {
      if (view === undefined && create) {
        const content = list.idMember ? { [list.idMember]: item } : item
        await call(create, { params, body: create.body?.parse(content) })
      } else if (view !== undefined && replace) {
        const body = replace.body?.parse(item)
        if (isDeepStrictEqual(body, replace.body?.parse(view))) return
        const headers = { 'if-match': tagOf(view) }
        await call(replace, { params: { ...params, [idParam]: idOf(view) }, body, headers })
      }
    })
  }
}

/** Returns the items of a list. A file can have another value there. */
function itemsOf({ at }: ItemList, content: Content): unknown[] {
  const items = valueAt(content, at)
  return Array.isArray(items) ? items : []
}

function idOf(view: unknown): string {
  return String(isJsonObject(view) ? view.id : view)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

import type { Kind, Kinds, Reading, StoredObject } from './kind.ts'
import { freeNames, namesIn, pathOf, toName } from './names.ts'
import { paramsOf, requireFewObjects } from './rest-kinds.ts'
import { withPauses } from './with-pauses.ts'

/** Reads all objects of a tenant, by path. The objects of a kind are in the order of their creation. Throws `conflict` if there are too many. */
export async function readStored(reading: Reading, kinds: Kinds): Promise<Map<string, StoredObject>> {
  const byPath = new Map<string, StoredObject>()
  for (const kind of kinds.values()) {
    const { parent } = kind
    const owners = parent ? [...byPath.values()].filter((each) => each.kind.name === parent.kind) : [undefined]
    for (const owner of owners) {
      for (const object of await readKind(reading, kind, owner)) {
        byPath.set(object.path, object)
        requireFewObjects(byPath.size)
      }
    }
  }
  return byPath
}

async function readKind(reading: Reading, kind: Kind, owner: StoredObject | undefined): Promise<StoredObject[]> {
  const { tenantId, managed } = reading
  const ownerId = owner?.id
  const rows = managed.filter((row) => row.kind === kind.name && row.parentId === (ownerId ?? ''))
  const rowOf = new Map(rows.map((row) => [row.objectId, row]))
  const takeName = freeNames(rows.map(({ name }) => name))
  const objects: StoredObject[] = []
  for await (const view of withPauses(await kind.read(reading, ownerId))) {
    const id = kind.isSingleton ? (ownerId ?? tenantId) : String(view.id)
    const row = rowOf.get(id)
    const name = row?.name ?? takeName(toName(kind.nameOf(view), kind.name))
    const names = [...(owner?.names ?? []), name].slice(0, namesIn(kind))
    const isPending = kind.provisionsKeys?.areCreated(view) === false
    const params = paramsOf(kind, { ownerId, id, tenantId })
    objects.push({ kind, path: pathOf(kind.name, names), names, id, params, view, isPending, managed: row })
  }
  return objects
}

/** Returns the paths of objects by id. A singleton has no id of its own. */
export function pathsById(objects: Iterable<StoredObject>): Map<string, string> {
  return new Map([...objects].flatMap(({ kind, id, path }) => (kind.isSingleton ? [] : [[id, path] as const])))
}

import type { ManagedKey, ManagedObject } from '../../db/repos/operations/managed-objects.ts'
import type { KindDefinition } from './kind.ts'
import { kindDefinitions } from './kinds.ts'

const patterns = kindDefinitions.map((kind) => ({
  kind,
  pattern: new RegExp(`^${withFixedParams(kind).replaceAll(/:\w+/g, '([^/]+)')}${kind.isSingleton ? '' : '/([^/]+)'}$`),
}))

/** Returns the object at a path of the interface, such as `/v1/webhooks/ID`. Returns undefined if files do not describe it. */
export function objectAt(resource: string, tenantId: string): ManagedKey | undefined {
  for (const { kind, pattern } of patterns) {
    const ids = pattern.exec(resource)?.slice(1)
    if (ids) return { kind: kind.name, parentId: kind.parent ? (ids[0] ?? '') : '', objectId: ids.at(-1) ?? tenantId }
  }
  return undefined
}

/** Returns the path of an object in the interface. Returns undefined for a kind of another version. */
export function resourceOf({ kind: name, parentId, objectId, tenantId }: ManagedObject): string | undefined {
  const kind = kindDefinitions.find((each) => each.name === name)
  return kind && `${ownerPath(kind, parentId, tenantId)}${kind.isSingleton ? '' : `/${objectId}`}`
}

function ownerPath(kind: KindDefinition, parentId: string, tenantId: string): string {
  const { parent } = kind
  const path = withFixedParams(kind)
  return parent ? path.replace(`:${parent.param}`, parentId) : path.replace(':tenantId', tenantId)
}

function withFixedParams({ path, fixedParams = {} }: KindDefinition): string {
  return Object.entries(fixedParams).reduce((filled, [name, value]) => filled.replace(`:${name}`, value), path)
}

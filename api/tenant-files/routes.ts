import { findManagedObject, listManagedObjects, type ManagedObject } from '../../db/repos/operations/managed-objects.ts'
import { tenantRoles } from '../../shared/access/roles.ts'
import { defineAuditedRoute } from '../audit/define-audited-route.ts'
import type { Collection } from '../http/collection.ts'
import { listOf } from '../http/crud.ts'
import { versionOf } from '../http/if-match.ts'
import { Answer } from '../http/representations/answer.ts'
import { defineRoute, operators, type Route } from '../http/route.ts'
import { applyFiles, presentStep } from './apply.ts'
import { applyEvent } from './changed-by-others.ts'
import { planFiles, readTenant } from './compare.ts'
import { exportFiles } from './export.ts'
import { printFileSchemas } from './json-schemas.ts'
import type { Kinds } from './kind.ts'
import { objectAt, resourceOf } from './resources.ts'
import { createKinds } from './rest-kinds.ts'
import {
  ApplyBody,
  ApplyView,
  FilesBody,
  FilesView,
  ManagedObjectsQuery,
  ManagedObjectView,
  PlanView,
  SchemasView,
} from './schemas.ts'

const common = { tag: 'Configuration files', access: operators('admin') } as const

/** 5,000 objects of 1 KB. */
const bodyLimitBytes = 5_000_000

/** The same files, with the versions of all objects and the paths of changes. Both have up to 100 bytes for each of 25,000 objects. */
const applyLimitBytes = 10_000_000

/** For 5,000 objects. Many proxies wait 60 s for an answer. */
const deadlineMs = 55_000

/** Returns the routes of a tenant as files. They call the handlers of `allRoutes`. */
export function tenantFilesRoutes(allRoutes: () => readonly Route[]): Route[] {
  let kinds: Kinds | undefined
  const allKinds = () => {
    kinds ??= createKinds(allRoutes())
    return kinds
  }
  return [...readingRoutes(allKinds), managedObjectsRoute, ...comparingRoutes(allKinds)]
}

const managedObjects: Collection<ManagedObject> = {
  tag: common.tag,
  // The console marks these objects for each role.
  access: operators(...tenantRoles),
  path: '/v1/configuration/objects',
  id: 'id',
  events: 'CONFIGURATION_OBJECTS',
  view: ManagedObjectView,
  present(row, { tenant }) {
    const { id, kind, name, digest, createdAt } = row
    const isLocked = tenant.settings.lockManagedObjects && kind !== 'tenant'
    return { id, kind, name, resource: resourceOf(row), isLocked, digest, appliedAt: createdAt.toISOString() }
  },
}

const managedObjectsRoute = listOf(managedObjects, {
  operation: 'retrieveManagedObjects',
  summary: 'List the objects that configuration files made',
  query: ManagedObjectsQuery,
  async rows({ deps, tenantId, query: { limit, cursor, resource } }) {
    if (resource === undefined) return listManagedObjects(deps.db.read, tenantId, limit, cursor)
    const object = objectAt(resource, tenantId)
    const managed = object && (await findManagedObject(deps.db.read, tenantId, object))
    return managed ? [managed] : []
  },
})

function readingRoutes(allKinds: () => Kinds): Route[] {
  return [
    defineRoute({
      ...common,
      operation: 'exportConfiguration',
      summary: 'Export the configuration of the tenant as files, without secrets',
      method: 'GET',
      path: '/v1/configuration',
      event: 'CONFIGURATION_EXPORT',
      status: 200,
      response: FilesView,
      representations: { etag: 'version' },
      problems: ['conflict'],
      async handle(call) {
        const { stored } = await readTenant(call, allKinds())
        const files = { format: 1 as const, objects: exportFiles(stored) }
        return new Answer(files, { version: versionOf(files) })
      },
    }),
    defineRoute({
      ...common,
      operation: 'retrieveConfigurationSchemas',
      summary: 'Retrieve the JSON Schemas of the files of a tenant, for editors',
      method: 'GET',
      path: '/v1/configuration/schemas',
      event: 'CONFIGURATION_SCHEMAS_RETRIEVE',
      status: 200,
      response: SchemasView,
      handle: async () => ({ schemas: printFileSchemas(allKinds()) }),
    }),
  ]
}

function comparingRoutes(allKinds: () => Kinds): Route[] {
  return [
    defineRoute({
      ...common,
      operation: 'planConfiguration',
      changesTenant: false,
      summary: 'Plan the changes that make the tenant equal to its files. Nothing is changed',
      method: 'POST',
      path: '/v1/configuration/plan',
      event: 'CONFIGURATION_PLAN',
      body: FilesBody,
      bodyLimitBytes,
      deadlineMs,
      status: 200,
      response: PlanView,
      problems: ['bad_request', 'conflict'],
      async handle(call) {
        const { plan } = await planFiles(call, allKinds(), call.body)
        const { basedOn, digest, steps, pending } = plan
        return { basedOn, digest, changes: steps.map(presentStep), pending }
      },
    }),
    defineAuditedRoute({
      ...common,
      operation: 'applyConfiguration',
      summary: 'Make the tenant equal to its files, if nothing has changed since the plan',
      method: 'POST',
      path: '/v1/configuration/apply',
      event: applyEvent,
      body: ApplyBody,
      bodyLimitBytes: applyLimitBytes,
      deadlineMs,
      status: 200,
      response: ApplyView,
      problems: ['bad_request', 'conflict', 'precondition_failed'],
      handle: (call) => applyFiles(call, allKinds(), call.body),
    }),
  ]
}

import type { z } from 'zod'
import type { Reader, Writer } from '../../db/client.ts'
import type { Change } from '../../db/repos/operations/audit/audited.ts'
import type { ManagedObject } from '../../db/repos/operations/managed-objects.ts'
import type { FileKind } from '../../shared/domain/tenancy/tenant-files.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { InnerCall } from '../audit/inner-calls.ts'
import type { Deps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import type { ChangedField, Content } from './members.ts'

/** A kind of objects that files describe. The routes at `path` read and change them. */
export interface KindDefinition {
  name: FileKind
  /** The path of the list of its objects, or of the only object. */
  path: string
  /** The tenant, or an object of its parent, has exactly one or none: PUT creates it. */
  isSingleton?: true
  /** The kind of the object that contains it, and the parameter of `path` for its id. */
  parent?: { kind: FileKind; param: string }
  /** The parameters of `path` that have one value for all its objects. Several kinds can share the routes of a path. */
  fixedParams?: Readonly<Record<string, string>>
  /** Returns a name for an object that was not made by files. */
  nameOf(view: Content): unknown
  /**
   * The kinds of the objects whose ids the members have, by the dotted path of the member. `*` at its end is each item of a list, or
   * each member of an object.
   */
  references?: Record<string, readonly FileKind[]>
  /** The member that is the id of the object by default. */
  defaultsToId?: string
  secret?: {
    /** Returns the dotted path of the secret in the content. Undefined if this content has none. */
    pathIn(content: Content): string | undefined
    read(db: Reader, secrets: Secrets, tenantId: string, id: string): Promise<string | undefined>
  }
  /** The members whose default the schemas do not have. */
  defaults?: Content
  /** The dotted paths of members that files cannot set. They stay as they are. */
  serverManaged?: readonly string[]
  /**
   * Makes the checks of the routes that wait for other hosts. An apply calls it before its transaction, in which the routes leave these
   * checks out.
   */
  checkOutside?(deps: Deps, tenantId: string, content: Content): Promise<void>
  /** The list of its objects leaves members out. */
  listOmitsMembers?: true
  /** The objects get keys of their own after the transaction. They are deleted only if the request allows it. */
  provisionsKeys?: { areCreated(view: Content): boolean }
  /** Members that the bodies of its routes do not have, because their items have routes of their own. */
  members?: MembersWithRoutes
  /** Returns the members of the bodies in a view, if the view has others. `paths` has the paths of objects by id. */
  membersOf?(view: Content, paths: ReadonlyMap<string, string>): Content
  /** Returns the methods that differ from those of `rest`, which use the routes. */
  override?(rest: Kind): Partial<KindMethods>
}

export interface MembersWithRoutes {
  schemas: Record<string, z.ZodType>
  /** The paths of the lists in the interface. They have the parameters of the object. */
  paths: readonly string[]
  /** The dotted paths of lists whose items are deleted if a file leaves them out. */
  deletedWith: readonly string[]
  /** Returns the paths of items that are in their list twice. */
  repeatedItems(content: Content): string[]
}

export interface KindMethods {
  /** Returns the views of the objects, or of those in an object of the parent kind. */
  read(reading: Reading, ownerId?: string): Promise<Content[]>
  /** Returns the members that differ. */
  changesBetween(before: Content, after: Content): ChangedField[]
  /** Returns the id of the new object. For a singleton, the id of its owner. */
  create(executing: Executing, file: FileObject): Promise<string>
  /** `fields` are the members that differ. */
  update(executing: Executing, file: FileObject, stored: StoredObject, fields: readonly ChangedField[]): Promise<void>
  remove(executing: Executing, stored: StoredObject): Promise<void>
}

/** A kind with its routes. */
export interface Kind extends KindDefinition, KindMethods {
  /** The place in the order in which objects are created. */
  position: number
  routes: KindRoutes
  /** The routes of `members.paths`, by path. */
  memberRoutes: ReadonlyMap<string, KindRoutes>
  /** The content of files: the bodies of the POST and then of the PUT, with the members that have routes of their own. */
  bodies: readonly z.ZodType[]
}

/** All kinds in the order in which their objects are created, which is that of the locks in `db/hold.ts`. */
export type Kinds = ReadonlyMap<FileKind, Kind>

export interface KindRoutes {
  list: Route | undefined
  retrieve: Route | undefined
  create: Route | undefined
  replace: Route | undefined
  remove: Route | undefined
  /** The parameter with the id of an object. A singleton has none. */
  idParam: string | undefined
}

interface DescribedObject {
  kind: Kind
  path: string
  /** The names in the path. */
  names: string[]
}

/** An object that a file describes. */
export interface FileObject extends DescribedObject {
  content: Content
  /** The secret, if the content has one. */
  secret: string | undefined
  /** The earlier path of the file. */
  movedFrom: string | undefined
}

/** An object of the tenant, with the path that its file has or would have. */
export interface StoredObject extends DescribedObject {
  /** The id. For a singleton, the id of its owner. */
  id: string
  /** The parameters of its routes. */
  params: Record<string, string>
  view: Content
  /** Its keys do not exist yet. */
  isPending: boolean
  /** The row, if files made the object. */
  managed: ManagedObject | undefined
}

export interface Reading {
  db: Reader
  tenantId: string
  call: InnerCall
  /** The rows of all objects that files made. */
  managed: readonly ManagedObject[]
}

/** The context that the steps of one transaction share. */
export interface Executing {
  tx: Writer
  tenantId: string
  deps: Deps
  /** Changes in the same transaction. */
  change: Change
  call: InnerCall
  /** The digest of the plan. */
  digest: string
  /** The ids of existing and of created objects, by path. */
  ids: Map<string, string>
  /** The ids of objects that steps deleted. */
  deleted: Set<string>
  at: Date
}

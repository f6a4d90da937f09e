import type { Reader } from '../../db/client.ts'
import type { Change } from '../../db/repos/operations/audit/audited.ts'
import type { FileKind } from '../../shared/domain/tenancy/tenant-files.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { OperatorCall } from '../http/idempotency.ts'

/** The members of an object, as a REST request or its response has them. */
export type Content = Record<string, unknown>

/** A kind of objects that files describe. The routes at `path` read and change them. */
export interface Kind {
  name: FileKind
  /** The path of the list of its objects, or with `isOne`, of the only one. */
  path: string
  /** The tenant, or an object of its parent, has exactly one or none: PUT creates it. */
  isOne?: true
  /** The kind of the object that contains it, and the parameter of `path` for its id. */
  parent?: { kind: FileKind; param: string }
  /** Returns a name for an object that was not made by files. */
  nameOf(view: Content): unknown
  /** The kinds of the objects whose ids the members have. */
  references?: Record<string, FileKind>
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
  kept?: readonly string[]
  /** The objects get keys of their own. They are deleted only if the request allows it. */
  withKeys?: ObjectsWithKeys
  /** The list of its objects leaves members out. */
  isListedInPart?: true
  /** The lists of its members that have routes of their own. */
  parts?: readonly Part[]
}

/** A list in the content of an object whose items have routes of their own. */
export interface Part {
  /** The path of the list in the content, such as `issuer.certificates`. */
  at: readonly [member: string, list: string]
  /** The path of the list in the interface. It has the parameters of the object. */
  path: string
  /** The items are the ids of objects of this kind. The body of the POST has the id as `member`. Other items are that body. */
  refersTo?: { kind: FileKind; member: string }
  /** The member that identifies an item, and that the PUT does not have. */
  keyMember?: string
  /** Returns what identifies an item of a file, which can be wrong. References are `$ref`. */
  keyOf(item: unknown): string | undefined
  /** Reads the items of several objects as the interface shows them, with their ids. */
  read(db: Reader, tenantId: string, ownerIds: string[]): Promise<{ ownerId: string; view: Content }[]>
}

/** How objects are created whose keys follow in a job. */
export interface ObjectsWithKeys {
  /** Returns the members of the body of a view. */
  contentOf(view: Content): Content
  /** Creates the object with `change`, and adds the job that creates its keys. Returns its id. */
  create(call: Pick<OperatorCall, 'deps' | 'tenantId'>, change: Change, content: Content): Promise<string>
  /** Reads an object whose keys do not exist yet. */
  readPending(db: Reader, tenantId: string, id: string): Promise<Content | undefined>
}

import type { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import type { PageRequest } from '../../db/page.ts'
import type { Change, ChangeTo } from '../../db/repos/operations/audit/audited.ts'
import type { Collection, Creation, ItemCall, ListCall, Operation, ReplaceOperation } from '../http/collection.ts'
import { listOf, retrieve } from '../http/crud.ts'
import type { PageQuery } from '../http/page.ts'
import type { OperatorAccess, Route } from '../http/route.ts'
import { type AuditedRemoval, createAudited, removeAudited, replaceAudited } from './audited-crud.ts'

type Within = z.ZodObject | undefined
type Unnamed<Named> = Omit<Named, 'operation'>

/** The operations on a kind of resource that is read from the database. */
interface CrudOperations<Row, W extends Within, C extends z.ZodType, U extends z.ZodType | undefined> {
  /** The resource in the names of the operations, such as `create{name}`. */
  name: string
  /** The resources in the name of the list operation. By default `{name}s`. */
  plural?: string
  /** The callers that can read the resources. By default those of the collection. */
  readers?: OperatorAccess
  create?: Unnamed<Creation<Row, W, C, { change: ChangeTo<Row> }>>
  list: Unnamed<Operation> & {
    /** Returns one row more than the limit if there are more. */
    rows(
      db: Reader,
      tenantId: string,
      page: PageRequest,
      call: ListCall<W, z.output<typeof PageQuery>>,
    ): Promise<NoInfer<Row>[]>
  }
  retrieve: Unnamed<Operation> & {
    find(db: Reader, tenantId: string, id: string, call: ItemCall<W>): Promise<NoInfer<Row> | undefined>
  }
  update?: Unnamed<ReplaceOperation<Row, W, Extract<U, z.ZodType>, { change: Change }>>
  delete: Unnamed<AuditedRemoval<W>>
}

/**
 * Defines the operations on a collection in the order of the reference: create, list, retrieve, update and delete. Changes are
 * audited. A collection with `update` has versions.
 */
export function auditedCrudOf<
  Row extends { id: string; createdAt: Date },
  W extends Within = undefined,
  C extends z.ZodType = z.ZodType,
  U extends z.ZodType | undefined = undefined,
>(
  of: Collection<Row, W> & (U extends z.ZodType ? { hasVersions: true } : unknown),
  { name, plural = `${name}s`, readers = of.access, ...operations }: CrudOperations<Row, W, C, U>,
): Route[] {
  const read = { ...of, access: readers }
  const { create, list, retrieve: one, update } = operations
  return [
    ...(create ? [createAudited(of, { operation: `create${name}`, ...create })] : []),
    listOf(read, {
      operation: `retrieve${plural}`,
      ...list,
      rows: (call) => list.rows(call.deps.db.read, call.tenantId, call.query, call),
    }),
    retrieve(read, {
      operation: `retrieve${name}`,
      ...one,
      find: (call) => one.find(call.deps.db.read, call.tenantId, call.id, call),
    }),
    ...(update ? [replaceAudited({ ...of, hasVersions: true }, { operation: `update${name}`, ...update })] : []),
    removeAudited(of, { operation: `delete${name}`, ...operations.delete }),
  ]
}

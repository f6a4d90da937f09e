import type { z } from 'zod'
import type { Writer } from '../../db/client.ts'
import type { Change, ChangeTo } from '../../db/repos/operations/audit/audited.ts'
import { notFound } from '../../shared/errors/errors.ts'
import {
  type Collection,
  type Creation,
  commitRow,
  creation,
  type ItemCall,
  type Operation,
  type ReplaceOperation,
  removal,
  replacement,
  type Versioned,
} from '../http/collection.ts'
import type { Route } from '../http/route.ts'
import { defineAuditedRoute } from './define-audited-route.ts'

type Within = z.ZodObject | undefined
type Audited = { change: Change }

/** Defines a create operation whose change is audited: its transaction is `change`. */
export function createAudited<Row, B extends z.ZodType, W extends Within = undefined>(
  of: Collection<Row, W>,
  { handle, ...operation }: Creation<Row, W, B, { change: ChangeTo<Row> }>,
): Route {
  return defineAuditedRoute(
    creation<Row, W, B, Audited>(of, {
      ...operation,
      handle(call) {
        const change: ChangeTo<Row> = (work) =>
          call.change(async (tx, record) => commitRow(of, call, tx, await work(tx, record)))
        return handle({ ...call, change })
      },
    }),
  )
}

/** Defines a create operation like `createAudited`, for a resource that is complete only after the signing process has made its keys. */
export function createAuditedWithKeys<Row, B extends z.ZodType, W extends Within = undefined>(
  of: Collection<Row, W>,
  operation: Creation<Row, W, B, Audited>,
): Route {
  return defineAuditedRoute(creation(of, operation))
}

/** Defines a replace operation whose change is audited. */
export function replaceAudited<Row, B extends z.ZodType, W extends Within = undefined>(
  of: Versioned<Row, W>,
  operation: ReplaceOperation<Row, W, B, Audited>,
): Route {
  return defineAuditedRoute(replacement(of, operation))
}

export interface AuditedRemoval<W extends Within> extends Operation {
  /** Runs before the transaction, for checks that would delay it. Throws a problem if the resource must not be removed. */
  permit?(call: ItemCall<W>): Promise<void>
  /** Returns false if the resource does not exist. */
  remove(tx: Writer, call: ItemCall<W>): Promise<boolean>
  /** Called after the transaction has been committed. */
  removed?(call: ItemCall<W>): void
}

/** Removes a resource. The audit records its id and the ids of its parents. Throws `not_found` if `remove` finds no resource. */
export function removeAudited<Row, W extends Within = undefined>(
  of: Collection<Row, W>,
  { permit, remove, removed, ...operation }: AuditedRemoval<W>,
): Route {
  const definition = removal<Row, W, Audited>(of, {
    ...operation,
    async handle(call) {
      await permit?.(call)
      await call.change(async (tx, record) => {
        if (!(await remove(tx, call))) throw notFound(of.id, call.id)
        // Boundary: `within` has the ids in the path before the id of the resource.
        const path = of.within ? (call.params as Record<string, string>) : {}
        const owners = Object.entries(path).filter(([name]) => name !== of.id)
        record(call.tenantId, { ...Object.fromEntries(owners), id: call.id })
      })
      removed?.(call)
    },
  })
  return defineAuditedRoute(definition)
}

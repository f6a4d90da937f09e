import type { z } from 'zod'
import type { Writer } from '../../db/client.ts'
import type { Change } from '../../db/repos/operations/audited.ts'
import { notFound } from '../../shared/errors.ts'
import {
  type Collection,
  type Creation,
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

/** As `create`, through `change`. */
export function createAudited<Row, B extends z.ZodType, W extends Within = undefined>(
  of: Collection<Row, W>,
  operation: Creation<Row, W, B, Audited>,
): Route {
  return defineAuditedRoute(creation(of, operation))
}

/** As `replace`, through `change`. */
export function replaceAudited<Row, B extends z.ZodType, W extends Within = undefined>(
  of: Versioned<Row, W>,
  operation: ReplaceOperation<Row, W, B, Audited>,
): Route {
  return defineAuditedRoute(replacement(of, operation))
}

interface Removal<W extends Within> extends Operation {
  /** Asked before the transaction, for what would hold it up: throws the problem for which the thing stays. */
  permit?(call: ItemCall<W>): Promise<void>
  /** False where there is no such thing. */
  remove(tx: Writer, call: ItemCall<W>): Promise<boolean>
  /** Called once that is committed. */
  removed?(call: ItemCall<W>): void
}

/** Removes a thing and tells its id, and those of what it was in; `not_found` where `remove` finds none. */
export function removeAudited<Row, W extends Within = undefined>(
  of: Collection<Row, W>,
  { permit, remove, removed, ...operation }: Removal<W>,
): Route {
  const definition = removal<Row, W, Audited>(of, {
    ...operation,
    async handle(call) {
      await permit?.(call)
      await call.change(async (tx, tell) => {
        if (!(await remove(tx, call))) throw notFound(of.id, call.id)
        // Boundary: `within` has the ids in the path before the thing's own.
        const path = of.within ? (call.params as Record<string, string>) : {}
        const owners = Object.entries(path).filter(([name]) => name !== of.id)
        tell(call.tenantId, { ...Object.fromEntries(owners), id: call.id })
      })
      removed?.(call)
    },
  })
  return defineAuditedRoute(definition)
}

import type { z } from 'zod'
import type { Cursor } from '../../db/page.ts'
import { notFound } from '../../shared/errors/errors.ts'
import {
  type Collection,
  type Creation,
  commitRow,
  creation,
  type ItemCall,
  itemCall,
  type ListCall,
  type Operation,
  ofItem,
  ofList,
  type ReplaceOperation,
  removal,
  replacement,
  type Versioned,
  type Write,
} from './collection.ts'
import { withVersion } from './if-match.ts'
import { PageQuery, pageOf, toPage } from './page.ts'
import type { Representations } from './representations/representations.ts'
import { type Access, defineRoute, type Route } from './route.ts'

type Within = z.ZodObject | undefined
type PageQuerySchema = z.ZodType<z.output<typeof PageQuery>>

/** The columns by which a list is paged. `createdAt` orders it. */
interface Listed {
  id: string
  createdAt: Date
}

/** Defines a GET of one page of resources, oldest first. `rows` must read one row more than the limit. */
export function listOf<Row extends Listed, W extends Within = undefined, Q extends PageQuerySchema = typeof PageQuery>(
  of: Collection<Row, W, Access>,
  {
    rows,
    query,
    problems = [],
    ...operation
  }: Operation & {
    query?: Q
    /** The representations of a public list. */
    representations?: Pick<Representations, 'cors'>
    rows(call: ListCall<W, z.output<Q>>): Promise<NoInfer<Row>[]>
  },
): Route {
  return defineRoute<z.ZodType | undefined, PageQuerySchema>({
    ...operation,
    ...ofList(of),
    method: 'GET',
    event: `${of.events}_RETRIEVE_LIST`,
    ...(of.access.kind === 'operators' && { readsStandby: true }),
    query: query ?? PageQuery,
    status: 200,
    response: pageOf(of.view),
    problems: ['bad_request', ...problems],
    async handle(call) {
      // Boundary: `within` parsed the parameters, and `query` the query.
      const pageRows = await rows(call as ListCall<W, z.output<Q>>)
      const page = toPage(pageRows, call.query.limit, cursorOf, (row) => row)
      return { ...page, data: await Promise.all(page.data.map((row) => of.present(row, call))) }
    },
  })
}

function cursorOf({ createdAt, id }: Listed): Cursor {
  return { at: createdAt, id }
}

/** Defines a GET of one resource. Answers `not_found` if `find` returns undefined. */
export function retrieve<Row, W extends Within = undefined>(
  of: Collection<Row, W, Access>,
  { find, problems = [], ...operation }: Operation & { find(call: ItemCall<W>): Promise<NoInfer<Row> | undefined> },
): Route {
  return defineRoute<z.ZodType>({
    ...operation,
    ...ofItem(of),
    method: 'GET',
    event: `${of.events}_RETRIEVE`,
    status: 200,
    response: of.view,
    problems: ['bad_request', 'not_found', ...problems],
    ...(of.hasVersions && { representations: { etag: 'version' } }),
    async handle(call) {
      const item = itemCall<W, undefined, unknown>(of, call)
      const row = await find(item)
      if (!row) throw notFound(of.id, item.id)
      const view = await of.present(row, call)
      return of.hasVersions ? withVersion(view) : view
    },
  })
}

/** Defines a POST to the list. The handler creates the resource in one transaction, `write`. */
export function create<Row, B extends z.ZodType, W extends Within = undefined>(
  of: Collection<Row, W>,
  { handle, ...operation }: Creation<Row, W, B, { write: Write<Row> }>,
): Route {
  return defineRoute(
    creation<Row, W, B, unknown>(of, {
      ...operation,
      handle(call) {
        const write: Write<Row> = (work) => call.deps.db.tx(async (tx) => commitRow(of, call, tx, await work(tx)))
        return handle({ ...call, write })
      },
    }),
  )
}

export function replace<Row, B extends z.ZodType, W extends Within = undefined>(
  of: Versioned<Row, W>,
  operation: ReplaceOperation<Row, W, B, unknown>,
): Route {
  return defineRoute(replacement(of, operation))
}

export function remove<Row, W extends Within = undefined>(
  of: Collection<Row, W>,
  operation: Operation & { handle(call: ItemCall<W>): Promise<void> },
): Route {
  return defineRoute(removal<Row, W, unknown>(of, operation))
}

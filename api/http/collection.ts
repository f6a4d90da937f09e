import { z } from 'zod'
import type { ProblemName } from '../../shared/errors/errors.ts'
import type { Application } from './application.ts'
import { Uuid } from './fields.ts'
import { requireMatch, withTag } from './if-match.ts'
import type { Access, Call, Needs, OperatorAccess, Parsed, Route, RouteDefinition } from './route.ts'

type Schema = z.ZodType
type Writer = Application['writer']

/** The common parts of the operations on one kind of resource. Each operation is a separate route. */
export interface Collection<Row, W extends z.ZodObject | undefined = undefined, A extends Access = OperatorAccess> {
  tag: string
  access: A
  host?: 'platform' | 'either'
  /** The path of the list. A resource has `{path}/:{id}`. */
  path: string
  /** The parameters in `path`. */
  within?: W
  /** The name of the parameter with the id of a resource. */
  id: string
  /** The schema of this parameter. By default it is the id of the view, or a UUID. */
  idSchema?: z.ZodType<string>
  /** The prefix of the events: `{events}_CREATE`, `_RETRIEVE_LIST`, `_RETRIEVE`, `_UPDATE`, `_DELETE`. */
  events: string
  view: Schema
  /** GET of a resource answers with an `ETag`, for the `If-Match` of a PUT. Every collection with a PUT has versions (`Versioned`). */
  hasVersions?: true
  /** Management operations have a caller. */
  present(row: Row, call: Pick<Application, 'deps' | 'tenant'> & Partial<Pick<Application, 'caller'>>): unknown
}

/** A collection whose resources a PUT replaces. */
export type Versioned<Row, W extends z.ZodObject | undefined = undefined> = Collection<Row, W> & { hasVersions: true }

export type ListCall<W, Q> = Call<Parsed<W>, Q, undefined>
export type CreateCall<W, B> = Call<Parsed<W>, undefined, Parsed<B>, OperatorAccess>
/** `id` is the id of the resource in the path. */
export type ItemCall<W, B = undefined> = Call<Parsed<W>, undefined, Parsed<B>> & { id: string }

/** Management operations have a caller. */
export type ReplaceCall<Row, W, B> = ItemCall<W, B> &
  Partial<Pick<Application, 'caller'>> & {
    /** Throws `precondition_failed` if the request names another version. Call it in the transaction that writes, with the locked row. */
    requireMatch(before: NoInfer<Row>): Promise<void>
  }

export interface Operation {
  operation: string
  summary: string
  /** The problems besides those that every such operation has. */
  problems?: ProblemName[]
  /** The state of the object that the operation needs, for the reference. */
  needs?: Needs
  /** An optional header, for the reference. */
  acceptsHeader?: NonNullable<Route['acceptsHeader']>
}

/** Runs the transaction that creates a resource, and stores the answer in it (`commitAnswer`). */
export type Write<Row> = (work: (tx: Writer) => Promise<NoInfer<Row>>) => Promise<Row>

export interface Creation<Row, W, B, Extra> extends Operation {
  body: B
  /** Members of the body whose values no other object of the list has, for the reference. */
  unique?: readonly string[]
  handle(call: CreateCall<W, B> & Extra): Promise<NoInfer<Row>>
}

export interface ReplaceOperation<Row, W, B, Extra> extends Operation {
  body: B
  handle(call: ReplaceCall<Row, W, B> & Extra): Promise<NoInfer<Row>>
}

/** The definition of a route whose handler also receives `Extra`. */
type Definition<B extends Schema | undefined, Extra> = Omit<
  RouteDefinition<Schema | undefined, undefined, B, OperatorAccess>,
  'handle' | 'event' | 'audit'
> & { event: string; handle(call: Call<unknown, undefined, Parsed<B>> & Extra): Promise<unknown> }

/** Defines a POST to the list: creates a resource and returns its view. */
export function creation<Row, W extends z.ZodObject | undefined, B extends Schema, Extra>(
  of: Collection<Row, W>,
  { handle, problems = [], ...operation }: Creation<Row, W, B, Extra>,
): Definition<B, Extra> {
  return {
    ...operation,
    ...ofList(of),
    method: 'POST',
    event: `${of.events}_CREATE`,
    status: 201,
    response: of.view,
    problems: ['bad_request', ...problems],
    // Boundary: `within` parsed the parameters.
    handle: async (call) => of.present(await handle(call as CreateCall<W, B> & Extra), call),
  }
}

/** Stores the answer with the row in the transaction that creates the row. Returns the row. */
export async function commitRow<Row>(
  of: Pick<Collection<Row>, 'present'>,
  call: Call<unknown, unknown, unknown, OperatorAccess>,
  tx: Writer,
  row: Row,
): Promise<Row> {
  const deps = { ...call.deps, db: { ...call.deps.db, withoutDeadline: call.deps.db.withoutDeadline, read: tx } }
  await call.commitAnswer(tx, await of.present(row, { ...call, deps }))
  return row
}

/** Defines a PUT to a resource: replaces it and returns its new view. */
export function replacement<Row, W extends z.ZodObject | undefined, B extends Schema, Extra>(
  of: Versioned<Row, W>,
  { handle, problems = [], ...operation }: ReplaceOperation<Row, W, B, Extra>,
): Definition<B, Extra> {
  return {
    ...operation,
    ...ofItem(of),
    method: 'PUT',
    event: `${of.events}_UPDATE`,
    status: 200,
    response: of.view,
    problems: ['bad_request', 'not_found', 'precondition_failed', ...problems],
    async handle(call) {
      const match = async (before: Row) => requireMatch(call.headers, await of.present(before, call))
      const after = await handle({ ...itemCall<W, B, Extra>(of, call), requireMatch: match })
      return withTag(await of.present(after, call))
    },
  }
}

/** Defines a DELETE of a resource. The answer is empty. */
export function removal<Row, W extends z.ZodObject | undefined, Extra>(
  of: Collection<Row, W>,
  { handle, problems = [], ...operation }: Operation & { handle(call: ItemCall<W> & Extra): Promise<unknown> },
): Definition<undefined, Extra> {
  return {
    ...operation,
    ...ofItem(of),
    method: 'DELETE',
    event: `${of.events}_DELETE`,
    status: 204,
    problems: ['bad_request', 'not_found', ...problems],
    handle: (call) => handle(itemCall<W, undefined, Extra>(of, call)),
  }
}

/** Returns the common parts of the routes at the path of the list. */
export function ofList<Row, W extends z.ZodObject | undefined, A extends Access>(of: Collection<Row, W, A>) {
  const { tag, access, path, host, within } = of
  return { tag, access, path, ...(host && { host }), ...(within && { params: within }) }
}

/** Returns the common parts of the routes at the path of a resource. */
export function ofItem<Row, W extends z.ZodObject | undefined, A extends Access>(of: Collection<Row, W, A>) {
  const params = (of.within ?? z.object({})).extend({ [of.id]: of.idSchema ?? idIn(of.view) })
  return { ...ofList(of), path: `${of.path}/:${of.id}`, params }
}

/** Returns the id schema of the view, so that the reference describes both ids alike. */
function idIn(view: Schema): z.ZodType<string> {
  const id = view instanceof z.ZodObject ? view.shape.id : undefined
  return id instanceof z.ZodUUID ? id : Uuid
}

export function itemCall<W, B, Extra>(
  { id }: { id: string },
  call: Call<unknown, undefined, Parsed<B>> & Extra,
): ItemCall<W, B> & Extra {
  // Boundary: `within` parsed the parameters. The id is a string.
  return { ...call, id: (call.params as Record<string, string>)[id] } as ItemCall<W, B> & Extra
}

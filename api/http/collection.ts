import { z } from 'zod'
import type { ProblemName } from '../../shared/errors.ts'
import type { Application } from './application.ts'
import { Uuid } from './fields.ts'
import { requireMatch, withTag } from './if-match.ts'
import type { Access, Call, OperatorAccess, Parsed, RouteDefinition } from './route.ts'

type Schema = z.ZodType

/** What the operations on things of one kind have in common: each is a route of its own, and says what it does itself. */
export interface Collection<Row, W extends z.ZodObject | undefined = undefined, A extends Access = OperatorAccess> {
  tag: string
  access: A
  host?: 'platform' | 'either'
  /** Of the list; a thing is at `{path}/:{id}`. */
  path: string
  /** The other parameters in `path`. */
  within?: W
  /** The parameter that names one thing. */
  id: string
  /** What the parameter is; a UUID where nothing is said. */
  idSchema?: z.ZodType<string>
  /** The prefix of the events: `{events}_CREATE`, `_RETRIEVE_LIST`, `_RETRIEVE`, `_UPDATE`, `_DELETE`. */
  events: string
  view: Schema
  /** GET of one thing answers with an `ETag`, for the `If-Match` of a PUT. Every collection with a PUT has versions (`Versioned`). */
  hasVersions?: true
  present(row: Row, call: Pick<Application, 'deps' | 'tenant'>): unknown
}

/** A collection whose things a PUT replaces. */
export type Versioned<Row, W extends z.ZodObject | undefined = undefined> = Collection<Row, W> & { hasVersions: true }

export type ListCall<W, Q> = Call<Parsed<W>, Q, undefined>
export type CreateCall<W, B> = Call<Parsed<W>, undefined, Parsed<B>>
/** `id` names the thing that the operation is about. */
export type ItemCall<W, B = undefined> = Call<Parsed<W>, undefined, Parsed<B>> & { id: string }

export type ReplaceCall<Row, W, B> = ItemCall<W, B> & {
  /** Throws `precondition_failed` if the request names another version. Called in the transaction that writes, with the row that it holds. */
  requireMatch(before: NoInfer<Row>): Promise<void>
}

export interface Operation {
  operation: string
  summary: string
  /** Besides those that every such operation has. */
  problems?: ProblemName[]
}

export interface Creation<Row, W, B, Extra> extends Operation {
  body: B
  handle(call: CreateCall<W, B> & Extra): Promise<NoInfer<Row>>
}

export interface ReplaceOperation<Row, W, B, Extra> extends Operation {
  body: B
  handle(call: ReplaceCall<Row, W, B> & Extra): Promise<NoInfer<Row>>
}

/** A route that may still be given what `Extra` is, before it is defined. */
type Definition<B extends Schema | undefined, Extra> = Omit<
  RouteDefinition<Schema | undefined, undefined, B, OperatorAccess>,
  'handle' | 'event' | 'audit'
> & { event: string; handle(call: Call<unknown, undefined, Parsed<B>> & Extra): Promise<unknown> }

/** A POST to the list: makes a thing, and shows it. */
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
    // Boundary: the parameters were parsed by `within`.
    handle: async (call) => of.present(await handle(call as CreateCall<W, B> & Extra), call),
  }
}

/** A PUT to a thing: changes it, and shows it as it is then. */
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

/** A DELETE of a thing; the answer is empty. */
export function removal<Row, W extends z.ZodObject | undefined, Extra>(
  of: Collection<Row, W>,
  { handle, problems = [], ...operation }: Operation & { handle(call: ItemCall<W> & Extra): Promise<void> },
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

/** What the routes at the address of the list have in common. */
export function ofList<Row, W extends z.ZodObject | undefined, A extends Access>(of: Collection<Row, W, A>) {
  const { tag, access, path, host, within } = of
  return { tag, access, path, ...(host && { host }), ...(within && { params: within }) }
}

/** And those at the address of one thing. */
export function ofItem<Row, W extends z.ZodObject | undefined, A extends Access>(of: Collection<Row, W, A>) {
  const params = (of.within ?? z.object({})).extend({ [of.id]: of.idSchema ?? idIn(of.view) })
  return { ...ofList(of), path: `${of.path}/:${of.id}`, params }
}

/** As the view has it, so that the reference names the same thing in both. */
function idIn(view: Schema): z.ZodType<string> {
  const id = view instanceof z.ZodObject ? view.shape.id : undefined
  return id instanceof z.ZodUUID ? id : Uuid
}

export function itemCall<W, B, Extra>(
  { id }: { id: string },
  call: Call<unknown, undefined, Parsed<B>> & Extra,
): ItemCall<W, B> & Extra {
  // Boundary: the parameters were parsed by `within` with the id, which is a text.
  return { ...call, id: (call.params as Record<string, string>)[id] } as ItemCall<W, B> & Extra
}

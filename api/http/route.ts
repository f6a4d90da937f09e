import { z } from 'zod'
import type { Problem, ProblemName } from '../../shared/errors.ts'
import type { Role } from '../../shared/roles.ts'
import type { Application } from './application.ts'
import type { AttributedIds } from './attributed-ids.ts'
import type { MediaType } from './body.ts'
import type { Deprecation } from './deprecation.ts'
import { named } from './fields.ts'
import type { Multipart } from './multipart/multipart.ts'
import type { Upload } from './multipart/read-multipart.ts'
import type { Answer } from './representations/answer.ts'
import type { Representations } from './representations/representations.ts'

type Deps = Application['deps']
type Tenant = Application['tenant']
type Caller = Application['caller']
type Holder = Application['holder']

interface AnonymousAccess {
  kind: 'anyone'
}

interface WalletAccess {
  kind: 'wallet'
  /** Whether authentication also loads the known claims of the user, in the same query. */
  withClaims?: true
}

export interface OperatorAccess {
  kind: 'operators'
  roles: readonly Role[]
}

/** Who may call an operation. */
export type Access = AnonymousAccess | WalletAccess | OperatorAccess

export const anyone: AnonymousAccess = { kind: 'anyone' }
/** Wallets with an access token of this service's token endpoint. */
export const wallet: WalletAccess = { kind: 'wallet' }
/** Wallets, with the known claims of the user. */
export const walletWithClaims: WalletAccess = { kind: 'wallet', withClaims: true }
/** Management clients with one of the roles. */
export function operators(...roles: Role[]): OperatorAccess {
  return { kind: 'operators', roles }
}

/** The subject that authentication finds for an access: the caller of an operator route, the holder of a wallet route. */
type SubjectOf<A extends Access> = A extends OperatorAccess
  ? { caller: Caller }
  : A extends WalletAccess
    ? { holder: Holder }
    : unknown

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The request as a handler receives it. The access of the route decides which subject it has. */
export type Call<Params, Query, Body, A extends Access = Access> = Request<Params, Query, Body> & SubjectOf<A>

interface Request<Params, Query, Body> {
  deps: Deps
  tenant: Tenant
  tenantId: string
  requestId: string
  params: Params
  query: Query
  body: Body
  headers: Headers
  method: string
  /** The address of the client, as the log and the limits have it. */
  clientAddress(): string
  /** The address that was asked, as it is published: of the tenant's base URL, without the query. */
  url: string
  /** Until when a handler waits for others, by `performance.now()`. The request's deadline follows, which leaves time to undo. */
  deadlineAt: number
  /** The body as it came; empty where the route reads none. */
  rawBody: Buffer
  /** Whether the body came encrypted (`openBody`). */
  isEncrypted: boolean
  /** Says which offer the call is about, for the offer's timeline, and whom, for events. */
  attribute(offerId: string | null | undefined, names?: AttributedIds): void
  /** The file of a form, which is to be read before the answer; throws where the route consumes no `multipart`. */
  file(): Upload
  /** The fields of a form whose file is read first (`isReadFirst`), once it was read; parsed as `body` is elsewhere. */
  form(): Body
}

/** What a page knows of the request that it tells the problem of. */
export interface ProblemPageRequest {
  deps: Deps
  tenant: Tenant | undefined
  headers: Headers
  requestId: string
}

type Schema = z.ZodType
export type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** One operation, whole: `mount.ts` runs it, `openapi.ts` prints it, tests loop over it. */
export interface RouteDefinition<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  A extends Access = Access,
> {
  /** It goes away: all of its answers say so. */
  deprecated?: Deprecation
  /** Unique; the OpenAPI operationId and the label in logs and metrics. */
  operation: string
  summary: string
  /** The group in the reference; upper-cased, the category of its events. */
  tag: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `:name` marks a parameter. */
  path: string
  access: A
  /**
   * Whether the body has a value that can be guessed, such as a transaction code. Guesses from an address with too many wrong ones are
   * refused unread. Secrets of 256 bits need no such rule.
   */
  takesGuess?: (body: Parsed<B>) => boolean
  /** What it counts as for its tenant; changes by management clients count as that without a word. */
  countsAs?: 'issuance'
  /** `platform` and `any` are for routes that no tenant serves, or all hosts do. */
  host?: 'tenant' | 'platform' | 'either' | 'any'
  /** The prefix of its analytics events; absent where the catalogue says no event. */
  event?: string
  /** Anybody reads it, over and over: the first successes of a minute are told one by one, the others as a number. */
  aggregatesAnonymousEvents?: true
  /** Its success is also told in the audit, in the transaction of what it did (api/audit/define-audited-route.ts). */
  audit?: true
  params?: P
  query?: Q
  body?: B
  consumes?: readonly MediaType[] | Multipart
  /** Where `application/jwt` is consumed: decrypts it; what is inside is read like any JSON body. */
  openBody?: (request: { deps: Deps; tenant: Tenant; deadlineAt: number }, jwe: string) => Promise<Buffer>
  bodyLimitBytes?: number
  status: number
  /** What the handler's data goes through before it is sent. Absent: an empty body, or a payload of the handler's own. */
  response?: Schema
  /** A header that its request has to have, which its handler sees to; the reference tells of it. */
  needsHeader?: { name: string; description: string; example: string }
  /** How the answer is put on the wire, where that is more than its data in JSON. */
  representations?: Representations
  problems?: ProblemName[]
  /** Protocol endpoints answer `{error, error_description}`; this is the error of a malformed request there. */
  oauthErrors?: 'invalid_request' | 'invalid_credential_request' | 'invalid_notification_request'
  /** For addresses that people open in a browser: their problems are pages, unless Accept prefers JSON or text (api/http/refusal.ts). */
  problemPage?: (problem: Problem, request: ProblemPageRequest) => Answer
  /** Left out of the reference: the files that the reference itself is made of. */
  undocumented?: true
  handle(call: Call<Parsed<P>, Parsed<Q>, Parsed<B>, A>): Promise<unknown>
}

/** A route as everything but its own file sees it: parameter types are its business alone. */
export type Route = Omit<RouteDefinition<Schema | undefined, Schema | undefined, Schema | undefined>, 'handle'> & {
  handle(call: Call<never, never, never>): Promise<unknown>
}

/** The query of every PUT (api/http/replacement.ts). */
const ReplacementQuery = z.object({
  partial: named(
    'Partial',
    '`true`: a member of the body that is left out keeps its value. A member that is given is replaced as a whole',
    z.enum(['true', 'false']),
  ).optional(),
})

export function defineRoute<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  A extends Access = Access,
>(definition: RouteDefinition<P, Q, B, A>): Route {
  const whole =
    definition.method === 'PUT' ? { ...definition, query: definition.query ?? ReplacementQuery } : definition
  // Boundary: mount.ts gives the handler what the definition's own schemas parsed.
  return whole as unknown as Route
}

import { z } from 'zod'
import { allows, type Permission, permissionsFor } from '../../shared/access/permissions.ts'
import { type Role, rightsOf } from '../../shared/access/roles.ts'
import { viewerOperations } from '../../shared/access/viewer-operations.ts'
import type { Problem, ProblemName } from '../../shared/errors/errors.ts'
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
type Writer = Application['writer']

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
  /**
   * The permissions of which an own role of the tenant needs one. Empty if each own role can call the operation. Absent if the operation
   * is only for the platform.
   */
  permissions?: readonly Permission[]
}

/** The callers that may call an operation. */
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
  /** Returns the address of the client, for the log and the limits. */
  clientAddress(): string
  /** The published URL of the request, below the issuer identifier of the tenant and without the query. */
  url: string
  /** The time by `performance.now()` until which a handler waits for others. The deadline of the request is later, so that there is time to undo. */
  deadlineAt: number
  /** The bytes of the body. Empty if the route reads no body. */
  rawBody: Buffer
  /** Whether the body was encrypted (`openBody`). */
  isEncrypted: boolean
  /** Sets the offer of the call, for its timeline, and the user and session, for events. */
  attribute(offerId: string | null | undefined, names?: AttributedIds): void
  /**
   * Stores the answer with this content for requests with the same `Idempotency-Key`, in the transaction of the change. They get it even
   * if this process ends before it answers. Does nothing without a key.
   */
  commitAnswer(tx: Writer, content: unknown): Promise<void>
  /** Returns the file of a form. Read it before the answer. Throws if the route consumes no `multipart`. */
  file(): Upload
  /** Returns the parsed fields of a form with `isReadFirst`. Call it after the file was read. */
  form(): Body
}

/** The parts of a request that a problem page can use. */
export interface ProblemPageRequest {
  deps: Deps
  tenant: Tenant | undefined
  headers: Headers
  requestId: string
}

/**
 * The state of the objects in a path: by parameter, then by member of the object, the values with which the operation succeeds. Such as
 * `{ id: { state: ['ready'] } }`. The reference prints it, and the handler must check it.
 */
export type Needs = Readonly<Record<string, Readonly<Record<string, readonly (string | boolean)[]>>>>

type Schema = z.ZodType
export type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** Defines one operation. `mount.ts` runs it, `openapi.ts` prints it, and tests iterate over all of them. */
export interface RouteDefinition<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  A extends Access = Access,
> {
  /** The operation will be removed. All its answers have the headers of a deprecation. */
  deprecated?: Deprecation
  /** The unique name: the OpenAPI operationId and the label in logs and metrics. */
  operation: string
  summary: string
  /** The group in the reference. In upper case it is the category of the events. */
  tag: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `:name` marks a parameter. */
  path: string
  access: A
  /**
   * Whether the body has a value that can be guessed, such as a transaction code. An address with too many wrong guesses is refused.
   * Secrets of 256 bits do not need it.
   */
  takesGuess?: (body: Parsed<B>) => boolean
  /** The rate limit of the tenant that the operation counts for. Changes by management clients have their own limit. */
  countsAs?: 'issuance'
  /**
   * Whether the operation changes what the tenant owns. A read-only tenant refuses it with 503. Default: every method but GET does, and so
   * does an audited GET.
   */
  changesTenant?: boolean
  /** The operation creates something although its status is 200. It accepts an `Idempotency-Key`. */
  creates?: true
  /** Whether the route is also served at the addresses of views. Routes for wallets are. */
  isOfViews?: true
  /** The hosts that serve the route. `any` includes hosts without a tenant. */
  host?: 'tenant' | 'platform' | 'either' | 'any'
  /**
   * Does what was left when a process ended after the commit of the answer. Called before a repeated request gets this answer, with its
   * data. Returns false if nothing is left of the first request, so that the handler runs again.
   */
  completeEarlier?: (call: { deps: Deps; deadlineAt: number }, data: unknown) => Promise<boolean>
  /** The prefix of the analytics events. Absent if the operation has no events. */
  event?: string
  /** Aggregates the events of anonymous successes (api/analytics/anonymous-event-aggregator.ts). */
  aggregatesAnonymousEvents?: true
  /** The transaction of the change also writes an audit row (api/audit/define-audited-route.ts). */
  audit?: true
  params?: P
  query?: Q
  body?: B
  /** The schemas are compiled at the start, which takes milliseconds. For operations that are called for each credential. */
  compiled?: true
  consumes?: readonly MediaType[] | Multipart
  /** Decrypts a body of `application/jwt`, whose content is read like a JSON body. */
  openBody?: (request: { deps: Deps; tenant: Tenant; deadlineAt: number }, jwe: string) => Promise<Buffer>
  bodyLimitBytes?: number
  /** The body limit, if it depends on settings of the tenant. The reference prints the description. */
  tenantBodyLimit?: { bytesOf(tenant: Tenant): number; description: string }
  /** The deadline of the request, if `CREDENTIAL_DEADLINE_MS` is too short for its work. */
  deadlineMs?: number
  /** The answer is a stream that can outlast the deadline of requests. The handler waits for nothing else. */
  isLongLived?: true
  status: number
  /** The schema of the data of the handler. Absent if the body is empty, or if the handler returns a payload. */
  response?: Schema
  /** The values that members of the object of a path parameter must have, by parameter. The reference chooses such an object. */
  needs?: Needs
  /** Members of the body. No other object of the list has the same values. The reference chooses free values. */
  unique?: readonly string[]
  /** A required header, for the reference. The handler must check it. */
  needsHeader?: { name: string; description: string; example: string }
  /** An optional header, for the reference. The handler reads it. */
  acceptsHeader?: { name: string; description: string; example: string }
  /** The representations of the answer, if it is not plain JSON. */
  representations?: Representations
  problems?: ProblemName[]
  /** The error of a malformed request, for protocol endpoints, which answer `{error, error_description}`. */
  oauthErrors?: 'invalid_request' | 'invalid_credential_request' | 'invalid_notification_request'
  /** Makes the page of a problem, for URLs that people open in a browser, unless Accept prefers JSON or text (api/http/refusal.ts). */
  problemPage?: (problem: Problem, request: ProblemPageRequest) => Answer
  /** The handler writes nothing. Its reads can go to a standby of the database. */
  readsStandby?: true
  /** Omits the route from the reference. */
  undocumented?: true
  handle(call: Call<Parsed<P>, Parsed<Q>, Parsed<B>, A>): Promise<unknown>
}

/** A route without the types of its parameters, which only its definition knows. */
export type Route = Omit<RouteDefinition<Schema | undefined, Schema | undefined, Schema | undefined>, 'handle'> & {
  handle(call: Call<never, never, never>): Promise<unknown>
}

/** The query of every PUT (api/http/replacement.ts). */
const ReplacementQuery = z.object({
  partial: named(
    'PartialReplacement',
    '`true`: a member that the body omits keeps its value. A given member is replaced as a whole',
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
  // Boundary: the kernel calls the handler with the values that the schemas of the definition parsed.
  return { ...whole, access: withPermissions(definition) } as unknown as Route
}

/** Returns whether a read-only tenant refuses the operation. */
export function changesTenant(route: Pick<Route, 'changesTenant' | 'method' | 'audit'>): boolean {
  return route.changesTenant ?? (route.method !== 'GET' || route.audit === true)
}

const helpdesk = rightsOf(['helpdesk'])

/** Adds the roles `viewer` and `helpdesk` to the operations that they can call, and the permissions for own roles. */
function withPermissions(definition: { operation: string; tag: string; method: string; access: Access }): Access {
  const { operation, access } = definition
  if (access.kind !== 'operators') return access
  const roles = new Set(access.roles)
  if (viewerOperations.has(operation)) roles.add('viewer')
  if (!roles.has('admin')) return access
  const permissions = permissionsFor(definition)
  if (permissions.some((each) => allows(helpdesk, each))) roles.add('helpdesk')
  return { ...operators(...roles), permissions }
}

import type { Context } from 'koa'
import type { Deadline } from '../../shared/deadline.ts'
import type { Problem } from '../../shared/errors/errors.ts'
import type { Application } from './application.ts'
import type { AttributedIds } from './attributed-ids.ts'
import type { FormClaim, IdempotencyClaim, OperatorCall, StoredAnswer } from './idempotency.ts'
import type { Subjects } from './report.ts'
import type { Access, Route } from './route.ts'
import type { Slot } from './slot.ts'

type Deps = Application['deps']
type Tenant = Application['tenant']

/** The parts of a request, besides its headers, that authentication needs. */
export interface RequestExchange {
  tenant: Tenant | undefined
  rawBody(): Promise<Buffer>
  /** Sets the offer of the request, also if the request is then refused. */
  attribute(offerId: string | null | undefined, names?: AttributedIds): void
}

/** Callbacks through which the kernel asks the application for tenant, subject and limits. */
export interface RequestHooks {
  findTenant(deps: Deps, ctx: Context): Promise<Tenant | undefined>
  /** Returns the problem of a request to a host without a tenant, or with a tenant of the wrong kind. */
  refuseHost(deps: Deps, tenant: Tenant | undefined, route: Route): Problem
  /** Returns the problem of a request to a view that was deleted. */
  goneView(): Problem
  /** Finds the tenant like `findTenant`, but reads only the cache. Returns undefined if the database must be read. */
  findKnownTenant(deps: Deps, ctx: Context): Tenant | undefined
  /** Returns the tenant of the last read, however old it is. It identifies the tenant of an event only. */
  findLastTenant(deps: Deps, ctx: Context): Tenant | undefined
  /**
   * Binds `deps` to one request. Its writes are committed before the deadline or not at all. It gives its slot back while it waits
   * for other processes and hosts.
   */
  bind(deps: Deps, request: { deadline: Deadline; slot: Slot }): Deps
  /** Returns `deps` for a handler that only reads. Its reads see everything that was committed before the call. */
  bindReads(deps: Deps): Promise<Deps>
  /** Throws 401 or 403. */
  authenticate(access: Access, ctx: Context, deps: Deps, exchange: RequestExchange): Promise<Subjects>
  /** Checks the rate limit of the address before authentication. Throws 429. */
  admit(route: Route, ctx: Context, tenant: Tenant): Promise<void>
  /** Throws 503 if the tenant is read-only and the operation changes it. */
  requireChangeable(route: Route, tenant: Tenant): void
  /** Checks the rate limit of the tenant after authentication. Throws 429. */
  count(route: Route, tenant: Tenant): Promise<void>
  /**
   * Claims the `Idempotency-Key` of a request, or returns the answer of the earlier request with it. Throws 409 while that request
   * runs, and 422 if it was another request. `completeEarlier` is that of the route.
   */
  claimKey(
    key: string,
    call: OperatorCall,
    completeEarlier?: Route['completeEarlier'],
  ): Promise<{ claim: IdempotencyClaim } | { earlier: StoredAnswer }>
  /**
   * Claims a key like `claimKey`, for a form, whose content is known when its file was read. If the key has an answer, reads the file and stores
   * nothing of it.
   */
  claimFormKey(key: string, call: OperatorCall): Promise<{ claim: FormClaim } | { earlier: StoredAnswer }>
  /** Returns the address of the client, for the log and the limits. */
  addressOf(ctx: Context): string
  /** Throws 429 for a guess, such as a transaction code, from an address with too many wrong ones. */
  admitGuess(ctx: Context, tenant: Tenant): void
  /** Counts a wrong secret or guess. Returns the 429 for an address with too many wrong ones. */
  countWrong(problem: Problem, ctx: Context, tenant: Tenant): Promise<Problem | undefined>
}

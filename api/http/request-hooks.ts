import type { Context } from 'koa'
import type { Deadline } from '../../shared/deadline.ts'
import type { Problem } from '../../shared/errors.ts'
import type { Application } from './application.ts'
import type { AttributedIds } from './attributed-ids.ts'
import type { Subjects } from './report.ts'
import type { Access, Route } from './route.ts'
import type { Slot } from './slot.ts'

type Deps = Application['deps']
type Tenant = Application['tenant']

/** What authentication needs of a request besides its headers. */
export interface RequestExchange {
  tenant: Tenant | undefined
  rawBody(): Promise<Buffer>
  /** Says which offer the request is about, also when it is then refused. */
  attribute(offerId: string | null | undefined, names?: AttributedIds): void
}

/** Whom a request is addressed to and who sent it: the application's to find out. */
export interface RequestHooks {
  findTenant(deps: Deps, ctx: Context): Promise<Tenant | undefined>
  /** What whoever asked at the host of no tenant, or of another kind of tenant than the route is for, is told. */
  refuseHost(deps: Deps, found: Tenant | undefined, route: Route): Problem
  /** The same as `findTenant` without a question to the database: undefined also where one is due. */
  findKnownTenant(deps: Deps, ctx: Context): Tenant | undefined
  /**
   * The same for one request: what it writes is committed before the deadline or not at all. It gives its slot back while it
   * waits for others.
   */
  bind(deps: Deps, request: { deadline: Deadline; slot: Slot }): Deps
  /** Throws 401 or 403. */
  authenticate(access: Access, ctx: Context, deps: Deps, exchange: RequestExchange): Promise<Subjects>
  /** Before it is known who calls: throws 429 where too much came from there. */
  admit(route: Route, ctx: Context, tenant: Tenant): Promise<void>
  /** Once it is known who calls: throws 429 where the tenant's clients do too much of this. */
  count(route: Route, tenant: Tenant): Promise<void>
  /** Of whoever sent the request, as the log and the limits have it. */
  addressOf(ctx: Context): string
  /** Throws 429 for a guess, such as a transaction code, from an address with too many wrong ones. */
  admitGuess(ctx: Context, tenant: Tenant): void
  /** Counts a wrong secret or guess. Returns the 429 for an address with too many wrong ones. */
  countWrong(problem: Problem, ctx: Context, tenant: Tenant): Promise<Problem | undefined>
}

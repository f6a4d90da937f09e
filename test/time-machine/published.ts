import type { PublicationKind } from '../../shared/domain/operations/publications.ts'
import type { DidDocument } from '../verifiers/outside-verifiers.ts'
import type { History } from './actions.ts'
import { must } from './outside.ts'
import type { SimulatedTenant } from './tenants.ts'

/** A document that a verifier has fetched and verified. */
export interface Published {
  url: string
  /** Undefined if its format has no end. */
  until?: Date
  /** The next version is published by then. Undefined if none follows, because the authority ends too. */
  renewedBy?: Date
}

export interface CheckContext {
  tenant: SimulatedTenant
  history: History
  at: Date
  /** Whether slow verifiers run too, every four weeks. */
  isThorough: boolean
  /** What the checks remember of earlier documents, such as the last number by URL. */
  memory: Map<string, number>
  /** Returns the DID document of the tenant. It is fetched once for the checks of a step. */
  did(): Promise<DidDocument>
}

/** Fetches all documents of a kind of a tenant as a verifier, verifies them and returns them. Throws a violation. */
export type Check = (context: CheckContext) => Promise<Published[]>

export type Checks = Record<PublicationKind, Check>

/**
 * Half of the time between the planned renewal and the end of a document is left when it is renewed at the latest. `renewedBeforeMs` is that
 * time.
 */
export function renewedBy(until: Date, renewedBeforeMs: number): Date {
  return new Date(until.getTime() - renewedBeforeMs / 2)
}

/** The clock can be set back by a minute after a document was signed. */
export const clocksApartMs = 5 * 60_000

export function requireTimes(what: string, { from, until, at }: { from: Date; until: Date; at: Date }): void {
  must(from.getTime() <= at.getTime() + clocksApartMs, `${what} begins in the future, at ${from.toISOString()}`)
  must(until > at, `${what} is stale, it ended at ${until.toISOString()}`)
}

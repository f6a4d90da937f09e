import { dayMs, hourMs, unixSeconds } from '../../shared/clock.ts'
import { type PublicationKind, publicationKinds } from '../../shared/domain/operations/publications.ts'
import type { DidDocument } from '../verifiers/outside-verifiers.ts'
import type { History } from './actions.ts'
import { checkCredential } from './check-credentials.ts'
import { discoveryChecks } from './check-discovery.ts'
import { requireSigners, requireYoungKeys } from './check-operated.ts'
import { requireOutsideVerifiers } from './check-outside.ts'
import { requireCurrentList } from './check-trusted-lists.ts'
import { checks } from './checks.ts'
import type { Fingerprints } from './fingerprints.ts'
import { didDocumentOf, must, Violation } from './outside.ts'
import type { CheckContext, Published } from './published.ts'
import type { SimulatedTenant } from './tenants.ts'

export interface Invariants {
  /** Checks all documents that have changed, and all documents if `isWhole`. Throws a violation. */
  check(at: Date, options: CheckOptions): Promise<void>
  /** Checks without requests that no known document has ended. */
  checkEnds(at: Date): void
  /** Number of fetched documents by kind. */
  counts: ReadonlyMap<PublicationKind, number>
}

interface CheckOptions {
  /** All documents are fetched. */
  isWhole: boolean
  /** Slow verifiers run too. */
  isThorough: boolean
  isVerifyingCredentials: boolean
  /** A fault of the last hours delays what is due. */
  isLate: boolean
}

interface InvariantsOptions {
  tenants: SimulatedTenant[]
  history: History
  fingerprints: Fingerprints
}

/** Signed documents are also fetched when the keys of the tenant change. */
export function createInvariants({ tenants, history, fingerprints }: InvariantsOptions): Invariants {
  const memory = new Map<string, number>()
  const current = new Map<string, Published[]>()
  const counts = new Map<PublicationKind, number>()
  let earlierNames = new Map<string, string>()

  async function checkKind(context: CheckContext, kind: PublicationKind): Promise<void> {
    const published = await checks[kind](context)
    current.set(`${context.tenant.name} ${kind}`, published)
    counts.set(kind, (counts.get(kind) ?? 0) + published.length)
  }

  async function checkTenant(
    context: CheckContext,
    hasChanged: (kind: string) => boolean,
    isWhole: boolean,
  ): Promise<void> {
    for (const kind of publicationKinds)
      if (isWhole || context.isThorough || hasChanged(kind)) await checkKind(context, kind)
    if (isWhole || context.isThorough || hasChanged('keys'))
      for (const run of Object.values(discoveryChecks)) await run(context)
  }

  function checkEnds(at: Date): void {
    for (const [name, all] of current)
      for (const { url, until } of all)
        if (until && until <= at)
          throw new Violation(`${name}: ${url} ended at ${until.toISOString()} without a successor`)
  }

  function contextOf(tenant: SimulatedTenant, at: Date, isThorough: boolean): CheckContext {
    let fetched: Promise<DidDocument> | undefined
    const did = () => {
      fetched ??= didDocumentOf(tenant.outside)
      return fetched
    }
    return { tenant, history, at, memory, isThorough, did }
  }

  /** Each week a quarter of the credentials is verified, until their end. */
  async function checkCredentials(at: Date, isThorough: boolean): Promise<void> {
    const quarter = Math.floor(at.getTime() / (7 * dayMs)) % 4
    const contexts = new Map(tenants.map((tenant) => [tenant, contextOf(tenant, at, isThorough)]))
    for (const [index, held] of history.held.entries()) {
      const context = contexts.get(held.tenant)
      if (context && held.until > at && index % 4 === quarter) await checkCredential(context, held)
    }
  }

  return {
    counts,
    checkEnds,
    async check(at, { isWhole, isThorough, isVerifyingCredentials, isLate }) {
      const now = fingerprints.hasChanged() ? fingerprints.read() : earlierNames
      for (const tenant of tenants) {
        const context = contextOf(tenant, at, isThorough)
        const name = (kind: string) => `${tenant.id} ${kind}`
        const hasEnded = (kind: string) =>
          current.get(`${tenant.name} ${kind}`)?.some(({ until }) => until && until <= at) ?? false
        await checkTenant(
          context,
          (kind) => hasEnded(kind) || now.get(name(kind)) !== earlierNames.get(name(kind)),
          isWhole,
        )
        if (isWhole) await requireOverview(tenant, current)
        if (isThorough) await requireOutsideVerifiers(context)
        if (isWhole && !isLate) await requireSigners(context)
        if (isWhole && !isLate) await requireYoungKeys(context)
        if (!isLate) requireRenewals(tenant, current, at)
        if (!isLate) for (const kind of tenant.trustedLists) requireCurrentList(context, kind)
      }
      earlierNames = now
      checkEnds(at)
      if (isVerifyingCredentials) await checkCredentials(at, isThorough)
    },
  }
}

/** Requires that the overview names the end of the first document of each kind, as verifiers read it. Documents have whole seconds. */
async function requireOverview(tenant: SimulatedTenant, current: ReadonlyMap<string, Published[]>): Promise<void> {
  const { data } = (await (await tenant.operator()).get('/v1/overview/validity')).body
  const named = new Map(
    data.map(({ kind, endsAt }: { kind: string; endsAt: string }) => [kind, unixSeconds(new Date(endsAt))]),
  )
  for (const kind of publicationKinds) {
    const ends = (current.get(`${tenant.name} ${kind}`) ?? []).flatMap(({ until }) => (until ? unixSeconds(until) : []))
    const first = ends.length > 0 ? Math.min(...ends) : undefined
    must(
      named.get(kind) === first,
      `${tenant.name} ${kind}: the overview names ${named.get(kind)}, verifiers read ${first}`,
    )
  }
}

function requireRenewals(tenant: SimulatedTenant, current: ReadonlyMap<string, Published[]>, at: Date): void {
  for (const kind of publicationKinds) {
    for (const { url, renewedBy, until } of current.get(`${tenant.name} ${kind}`) ?? []) {
      if (renewedBy && at > renewedBy)
        throw new Violation(`${tenant.name} ${kind}: ${url} is not renewed in time, it ends at ${until?.toISOString()}`)
    }
  }
}

/** After a fault, what is due can be late for this time. */
export const lateForMs = 3 * hourMs

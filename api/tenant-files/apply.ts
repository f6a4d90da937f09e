import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Writer } from '../../db/client.ts'
import { holdTenant } from '../../db/hold.ts'
import type { ApprovalRow } from '../../db/repos/operations/approvals.ts'
import { appendToAudit } from '../../db/repos/operations/audit/audit.ts'
import type { Change, RecordChange } from '../../db/repos/operations/audit/audited.ts'
import { forgetManagedObjects } from '../../db/repos/operations/managed-objects.ts'
import { findProblem, Problem } from '../../shared/errors/errors.ts'
import { approvedBy } from '../access/approvals.ts'
import { depsInside, innerCallOf } from '../audit/inner-calls.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import { endApproval, findApprovalOf, holdApproval, requireFewDeletions } from './approval.ts'
import { ChangedSincePlan, requireUnchangedByOthers } from './changed-by-others.ts'
import { type Compared, planFiles } from './compare.ts'
import { execute } from './execute.ts'
import { inMember } from './in-member.ts'
import type { Executing, Kinds } from './kind.ts'
import type { Step } from './plan.ts'
import { type Reviewed, requireReviewed } from './reviewed.ts'
import type { ApplyInput, ApplyView, PlannedChange, TenantFiles } from './schemas.ts'

/** The most changes of one transaction. They take about 0.1 s, during which other writes wait on SQLite. */
export const maxChangesAtOnce = 200

/** Longer than the time after which other processes try again to get the write lock of SQLite (db/engine/group-commit.ts). */
const pauseMs = 15

/** The most objects of a transaction that are checked at other hosts. A tenant can have fewer, so that a transaction with more is refused. */
const maxOutsideChecks = 10

interface Applying {
  call: OperatorCall & { change: Change }
  kinds: Kinds
  files: TenantFiles
  reviewed: Reviewed
  /** The paths of changes that earlier applies of the same plan have made. */
  madeBefore: readonly string[]
  /** The changes that were committed. */
  made: Step[]
}

/** The work that an apply still has to do. */
interface Remaining extends Compared {
  steps: readonly Step[]
  /** The approval of the plan. Absent if the plan needs none. */
  approval: ApprovalRow | undefined
  /** The ids of objects that steps deleted. */
  deleted: Set<string>
  isDone: boolean
}

/**
 * Makes the planned changes, `maxChangesAtOnce` in each transaction, and stops after `maxChanges`. Plans outside of transactions, and
 * again if objects of the next changes have changed since. Throws `precondition_failed` if the files are not those of the reviewed plan,
 * or with the objects that changed since, the problem of the first change that is refused, and `ApprovalNeeded`. The changes of earlier
 * transactions stay then.
 */
export async function applyFiles(
  call: Applying['call'],
  kinds: Kinds,
  { basedOn, digest, maxChanges = Number.POSITIVE_INFINITY, madePaths: madeBefore, ...files }: ApplyInput,
): Promise<z.output<typeof ApplyView>> {
  const applying: Applying = { call, kinds, files, reviewed: { basedOn, digest }, madeBefore, made: [] }
  let remaining = await planReviewed(applying)
  try {
    while (!remaining.isDone && applying.made.length < maxChanges) {
      const atOnce = Math.min(maxChangesAtOnce, maxChanges - applying.made.length)
      remaining = await makeSomeChanges(applying, remaining, atOnce)
    }
  } catch (error) {
    throw afterEarlierChanges(error, pathsOfMade(applying).length)
  }
  return answerOf(applying, remaining)
}

function answerOf(applying: Applying, { plan, steps }: Pick<Remaining, 'plan' | 'steps'>): z.output<typeof ApplyView> {
  const created = applying.made.filter(
    ({ op, file }) => (op === 'create' || op === 'replace') && file?.kind.provisionsKeys,
  )
  const pending = new Set([...plan.pending, ...created.map(({ path }) => path)])
  return {
    ...{ digest: plan.digest, changes: applying.made.map(presentStep), pending: [...pending], remaining: steps.length },
    ...(steps.length > 0 && { madePaths: pathsOfMade(applying) }),
  }
}

export function presentStep({ op, kind, path, fields, isDestructive, why }: Step): PlannedChange {
  return { op, kind, path, fields, isDestructive, why }
}

async function planReviewed(applying: Applying): Promise<Remaining> {
  const { call, kinds, files, reviewed } = applying
  const compared = await planFiles(call, kinds, files)
  const { plan } = compared
  const approval = await findApprovalOf(call, reviewed, plan)
  // If others have made the rest of the approved changes, the apply only ends the approval.
  const isMade = approval && plan.steps.length === 0
  requireReviewed(reviewed, plan, new Set(isMade ? Object.keys(reviewed.basedOn) : pathsOfMade(applying)))
  if (!approval)
    requireFewDeletions(call.tenant.settings.approvals, reviewed, plan, answerOf(applying, { plan, steps: plan.steps }))
  return { ...compared, approval, steps: plan.steps, deleted: new Set(), isDone: false }
}

/** Returns the paths of the changes that this apply and earlier ones have made. */
function pathsOfMade({ madeBefore, made }: Applying): string[] {
  return [...new Set([...madeBefore, ...made.map(({ path }) => path)])]
}

/** Makes the next changes in one transaction. If their objects have changed since the plan, makes none and plans again. */
async function makeSomeChanges(applying: Applying, remaining: Remaining, atOnce: number): Promise<Remaining> {
  const { call, made } = applying
  const steps = remaining.steps.slice(0, atOnce)
  try {
    await checkOutside(call, steps)
    const afterCommit = await call.change((tx, record) => commitSteps(tx, record, applying, remaining, steps))
    afterCommit()
    if (remaining.approval) call.deps.bus.poke()
    made.push(...steps)
    const left = remaining.steps.slice(steps.length)
    if (left.length > 0) await sleep(pauseMs)
    return { ...remaining, steps: left, isDone: left.length === 0 }
  } catch (error) {
    if (!(error instanceof ChangedSincePlan)) throw error
  }
  return planReviewed(applying)
}

/** Makes the checks that wait for other hosts. During the transaction, other writes wait on SQLite. */
async function checkOutside({ deps, tenantId }: OperatorCall, steps: readonly Step[]): Promise<void> {
  const changed = steps.filter(({ op }) => op === 'create' || op === 'update' || op === 'replace')
  const files = changed.flatMap(({ file }) => (file?.kind.checkOutside ? [file] : []))
  await Promise.all(
    files.slice(0, maxOutsideChecks).map(async ({ kind, path, content }) => {
      await inMember(`objects.${path}`, async () => kind.checkOutside?.(deps, tenantId, content), `${path}: `)
    }),
  )
}

async function commitSteps(
  tx: Writer,
  record: RecordChange,
  applying: Applying,
  remaining: Remaining,
  steps: readonly Step[],
) {
  const { call } = applying
  const { plan, auditSize, missing, deleted } = remaining
  const { deps, tenantId, requestId } = call
  const at = deps.clock.now()
  const approved = await requireApproved(tx, applying, remaining, at)
  const by = approved ? approvedBy(approved) : {}
  const inside = depsInside(approved ? { ...deps, approvalId: approved.id } : deps, tx)
  const { digest, ids } = plan
  const executing: Executing = {
    ...{ tx, tenantId, deps: inside.deps, digest, ids, deleted, at },
    call: innerCallOf(call, inside.deps),
    change: (work) => work(tx, record),
  }
  const others = { after: auditSize, requestId }
  await requireUnchangedByOthers(executing, steps, others)
  await forgetManagedObjects(tx, tenantId, missing)
  const executed = await execute(executing, steps)
  const entries = inside.sharedAudit.map((entry) => ({ ...entry, data: { ...entry.data, ...by } }))
  await appendToAudit(tx, entries, at)
  // The steps can have waited for the locks of other transactions. The head of the audit is locked now, so their rows are visible.
  await requireUnchangedByOthers(executing, steps, others)
  if (remaining.approval && steps.length === remaining.steps.length)
    await endApproval(tx, tenantId, remaining.approval.id, at)
  record(tenantId, { digest, changes: executed.length, ...by })
  for (const { step, id } of executed)
    record(tenantId, { digest, id, operation: step.op, kind: step.kind, path: step.path })
  return inside.afterCommit
}

/**
 * Locks the approval and the tenant. Returns the approval, if there is one. Throws `conflict` if the approval has ended, and
 * `ApprovalNeeded` if the tenant requires one since the plan.
 */
async function requireApproved(tx: Writer, applying: Applying, { approval, plan, steps }: Remaining, at: Date) {
  const { call, reviewed } = applying
  const approved = approval && (await holdApproval(tx, call.tenantId, approval.id, at))
  const tenant = await holdTenant(tx, call.tenantId)
  if (tenant && !approved)
    requireFewDeletions(tenant.settings.approvals, reviewed, plan, answerOf(applying, { plan, steps }))
  return approved
}

/** Adds the number of earlier changes to a problem, because they were committed. */
function afterEarlierChanges(error: unknown, count: number): unknown {
  const problem = findProblem(error)
  if (!problem || problem.status >= 500 || count === 0) return error
  const { message, details } = problem
  return new Problem(problem.problem, {
    message: `${message} The first ${count} changes were made. Make a new plan for the others.`,
    ...(details && { details }),
    cause: error,
  })
}

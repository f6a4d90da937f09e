import { type ApiClient, dataOf, waitFor } from '../../../../shared/client/client.ts'
import { type CommandCall, textOf, UsageError } from '../command.ts'
import { countOf } from '../count-of.ts'
import { createProgress } from '../progress.ts'
import type { Bundle } from './bundle.ts'
import type { PlanResponse } from './plan-text.ts'

/** The changes of one request. They take some seconds, so that each request ends long before its deadline. */
const changesOfPortion = 1_000

/**
 * Applies a plan with as many requests as it needs, and shows the progress. `madePaths` has the paths of changes that an earlier command has made.
 * Returns the last response, with all changes, or undefined if the plan waits for an approval. With `--wait` it waits too.
 */
export async function applyPlan(call: CommandCall, bundle: Bundle, plan: PlanResponse, madePaths: string[]) {
  const { basedOn, digest, changes } = plan
  const client = await call.client()
  const progress = createProgress(call.terminal, 'changes', changes.length)
  const made: PlanResponse['changes'] = []
  const apply = (paths: string[]) => {
    const body = { ...bundle, basedOn, digest, maxChanges: changesOfPortion, madePaths: paths }
    return dataOf(client.POST('/v1/configuration/apply', { body }))
  }
  try {
    let portion = await apply(madePaths)
    for (;;) {
      made.push(...portion.changes)
      if ('approval' in portion) {
        if (call.values.wait !== true) return adviseToContinue(call, portion.approval.id)
        await requireApproved(client, portion.approval.id, { wait: true })
      } else if (!portion.madePaths) return { ...portion, changes: made }
      else progress.show(made.length)
      portion = await apply(portion.madePaths ?? madePaths)
    }
  } catch (error) {
    if (made.length > 0)
      call.terminal.stderr.write(`Earlier requests made ${made.length} of ${countOf(changes.length, 'change')}.\n`)
    throw error
  } finally {
    progress.end()
  }
}

/**
 * Checks the approval of `--approval`. Throws a `UsageError` if it is not for this plan, or if it is not approved. With `--wait` it waits for
 * the decision.
 */
export async function checkApproval(call: CommandCall, { digest }: PlanResponse): Promise<void> {
  const id = textOf(call, 'approval')
  if (id === undefined) return
  const { details } = await requireApproved(await call.client(), id, { wait: call.values.wait === true })
  if (details.planDigest !== digest)
    throw new UsageError(
      `The approval ${id} is for other files, variables, secrets or options. Run the command without --approval to ask for another.`,
    )
}

const pollMs = 2_000

async function requireApproved(client: ApiClient, id: string, { wait }: { wait: boolean }) {
  const read = () => client.GET('/v1/approvals/{id}', { params: { path: { id } } })
  const limits = { timeoutMs: Number.POSITIVE_INFINITY, intervalMs: pollMs }
  const approval = await waitFor(read, ({ state }) => !wait || state !== 'waiting', limits)
  if (approval.state === 'approved') return approval
  const advice = approval.state === 'waiting' ? 'To wait for it, add --wait.' : 'Run the command without --approval.'
  throw new UsageError(`The state of the approval ${id} is ${approval.state}. ${advice}`)
}

function adviseToContinue({ terminal }: CommandCall, id: string): undefined {
  terminal.stderr.write(`No change is made before it. Then run the same command with --approval ${id}\n`)
}

import { isDeepStrictEqual } from 'node:util'
import {
  forgetManagedObjects,
  type ManagedObject,
  saveManagedObjects,
} from '../../db/repos/operations/managed-objects.ts'
import { findProblem, Problem, type ProblemDetail } from '../../shared/errors/errors.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { tagOf } from '../http/if-match.ts'
import { resetsOf } from '../http/kept.ts'
import { executeParts } from './execute-parts.ts'
import { ChangedSincePlan, type Executing } from './execution.ts'
import { toRequestContent } from './file-content.ts'
import type { Content } from './kind.ts'
import { isObject } from './members.ts'
import type { Operations } from './operations.ts'
import { isInPart } from './parts.ts'
import type { Step } from './plan.ts'
import { type Existing, ownerIdOf, ownerParams, readOne } from './state.ts'
import type { Wanted } from './wanted.ts'

/** An object that a step changed. */
export interface Executed {
  step: Step
  id: string
}

/**
 * Executes the steps in their order, in the transaction of `tx`. It does not let the event loop run, because other processes wait for
 * the write lock of SQLite. Throws the problem of the first step that is refused.
 */
export async function execute(executing: Executing, steps: readonly Step[]): Promise<Executed[]> {
  const { tx, tenantId, ids } = executing
  const executed: Executed[] = []
  const rows: ManagedObject[] = []
  for (const step of steps) {
    const id = await inFile(step.path, () => executeStep(executing, step))
    executed.push({ step, id })
    if (!step.wanted) continue
    ids.set(step.path, id)
    rows.push(managedRow(executing, step.wanted, id))
  }
  const earlier = steps.flatMap(({ existing }) => existing?.managed?.id ?? [])
  await forgetManagedObjects(tx, tenantId, earlier)
  await saveManagedObjects(tx, rows)
  return executed
}

/** Returns the id of the object of the step. */
async function executeStep(executing: Executing, step: Step): Promise<string> {
  const { op, wanted, existing } = step
  if (existing) await requireUnchanged(executing, existing)
  if (existing && (op === 'replace' || op === 'delete')) await remove(executing, existing)
  if (wanted && (op === 'create' || op === 'replace')) return create(executing, wanted)
  if (wanted && existing && op === 'update') await update(executing, step, wanted, existing)
  return existing?.id ?? ''
}

/** Changes of other kinds have an audit row, which was noticed before. Throws `ChangedSincePlan`. */
async function requireUnchanged({ call, operations }: Executing, { kind, params, view }: Existing): Promise<void> {
  const { retrieve, remove } = operations.get(kind) ?? {}
  if (!retrieve || !remove || remove.audit) return
  const [now] = await readOne(call, retrieve, params)
  if (now === undefined || tagOf(now) !== tagOf(view)) throw new ChangedSincePlan()
}

async function remove({ call, operations, deleted }: Executing, { kind, params, id }: Existing): Promise<void> {
  const { remove } = operations.get(kind) ?? {}
  if (!remove) return
  await call(remove, { params })
  deleted.add(id)
}

/** A change of parts only is no change of the object. */
async function update(executing: Executing, { fields }: Step, wanted: Wanted, existing: Existing): Promise<void> {
  const { kind } = wanted
  if (fields.some(({ path }) => !isInPart(kind, path))) await replace(executing, wanted, existing)
  if (kind.parts) await executeParts(executing, kind, toRequestContent(wanted, executing.ids), existing)
}

async function create(executing: Executing, wanted: Wanted): Promise<string> {
  const { kind } = wanted
  const id = await createObject(executing, wanted)
  const { idParam } = executing.operations.get(kind) ?? {}
  const params = ownerParams(kind, ownerIdOf(wanted, executing.ids), executing.tenantId)
  if (kind.parts && idParam) {
    const owner = { params: { ...params, [idParam]: id }, parts: new Map() }
    await executeParts(executing, kind, toRequestContent(wanted, executing.ids), owner)
  }
  return id
}

async function createObject(
  { call, operations, tenantId, deps, change, ids }: Executing,
  wanted: Wanted,
): Promise<string> {
  const { kind } = wanted
  if (kind.withKeys) return kind.withKeys.create({ deps, tenantId }, change, toRequestContent(wanted, ids))
  const own = operations.get(kind) ?? {}
  const owner = ownerIdOf(wanted, ids)
  const params = ownerParams(kind, owner, tenantId)
  const content = toRequestContent(wanted, ids)
  if (kind.isOne) {
    if (own.replace) await call(own.replace, { params, body: own.replace.body?.parse(content) })
    return owner?.id ?? tenantId
  }
  const view = own.create && (await call(own.create, { params, body: own.create.body?.parse(content) }))
  const id = isObject(view) ? String(view.id) : ''
  // A POST ignores members that only the PUT has, such as `disabled` of a webhook.
  if (own.replace && own.idParam && isObject(view) && differsInMore(own, content, view))
    await call(own.replace, { params: { ...params, [own.idParam]: id }, body: own.replace.body?.parse(content) })
  return id
}

/** Whether the created object lacks the value of a member that only the PUT has. */
function differsInMore({ create, replace }: Operations, content: Content, view: Content): boolean {
  const accepted = Object(create?.body?.parse(content))
  const more = Object.entries(Object(replace?.body?.parse(content))).filter(([name]) => !(name in accepted))
  return more.some(([name, value]) => !isDeepStrictEqual(value, view[name]))
}

async function replace(
  { call, operations, ids }: Executing,
  wanted: Wanted,
  { kind, params, view }: Existing,
): Promise<void> {
  const { replace } = operations.get(kind) ?? {}
  const kept = Object.fromEntries((kind.kept ?? []).map((name) => [name, view[name]]))
  // A member that the file leaves out gets its default.
  const body = replace?.body?.parse({ ...resetsOf(replace.body), ...kept, ...toRequestContent(wanted, ids) })
  // A change of the object since it was read is refused.
  if (replace) await call(replace, { params, body, headers: { 'if-match': tagOf(view) } })
}

function managedRow({ tenantId, at, digest, ids }: Executing, wanted: Wanted, objectId: string): ManagedObject {
  const { kind, names, path } = wanted
  return {
    id: newOrderedId(at),
    tenantId,
    kind: kind.name,
    parentId: ownerIdOf(wanted, ids)?.id ?? '',
    name: names.length === 0 || kind.isOne ? (path.split('/').at(-1) ?? '') : (names.at(-1) ?? ''),
    objectId,
    digest,
    createdAt: at,
  }
}

/** Adds the path of the file to a problem. */
async function inFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const problem = findProblem(error)
    if (!problem || problem.status >= 500) throw error
    const whole: ProblemDetail = { msg: problem.message, param: `objects.${path}`, location: 'body' }
    const details = problem.details?.map((detail) => ({
      ...detail,
      param: `objects.${path}.${detail.param}`,
      location: 'body' as const,
    }))
    const name = problem.problem === 'not_found' ? 'conflict' : problem.problem
    throw new Problem(name, { message: `${path}: ${problem.message}`, details: details ?? [whole], cause: error })
  }
}

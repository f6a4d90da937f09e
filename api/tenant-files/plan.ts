import { createHash, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import type { Reader } from '../../db/client.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import { findUnknownMembers } from '../http/ignored.ts'
import { maskedSecret, referencesIn, renameReferences } from './file-content.ts'
import type { Content, Kind } from './kind.ts'
import { kinds } from './kinds.ts'
import { type ChangedField, changedFields } from './members.ts'
import { pathOf } from './names.ts'
import type { Operations } from './operations.ts'
import { changedParts, listsThatLose, withoutParts } from './parts.ts'
import type { PlannedChange, TenantFiles } from './schemas.ts'
import type { Existing, State } from './state.ts'
import type { FileFault, Wanted } from './wanted.ts'
import { withPauses } from './with-pauses.ts'

/** A change, with what its execution needs. */
export interface Step extends PlannedChange {
  wanted: Wanted | undefined
  existing: Existing | undefined
}

export interface Plan {
  /** SHA-256 in base64url of the files with their variables, of the options, and of an HMAC of the secrets. */
  digest: string
  /** The versions of the compared objects, by path. */
  basedOn: Record<string, string | null>
  steps: Step[]
  faults: FileFault[]
  /** The files whose objects have no keys yet. */
  pending: string[]
}

interface Comparing {
  db: Reader
  secrets: Secrets
  tenantId: string
  operations: Map<Kind, Operations>
  files: TenantFiles
  wanted: readonly Wanted[]
  state: State
}

/** Compares the files with the objects of the tenant. */
export async function makePlan(comparing: Comparing): Promise<Plan> {
  const { wanted, state, files } = comparing
  const pairs = pairUp(wanted, state)
  const newPaths = new Map<string, string>()
  for (const [{ path }, { path: earlier }] of pairs) if (path !== earlier) newPaths.set(earlier, path)
  const contentOf = ({ kind, content }: Existing) => renameReferences(kind, content, newPaths)
  const storedSecrets = await readSecrets(comparing, [...pairs.values()])
  const plan: Plan = { digest: digestOf(comparing), basedOn: {}, steps: [], faults: [], pending: [] }
  const compared = new Set<Existing>()
  const replaced = new Set<string>()
  for await (const each of withPauses(wanted)) {
    const existing = pairs.get(each)
    if (existing && compared.has(existing)) {
      const msg = `Another file is for the same object. Its earlier path is ${existing.path}.`
      plan.faults.push({ file: each.path, path: each.movedFrom === undefined ? '' : 'movedFrom', msg })
    }
    if (existing) compared.add(existing)
    plan.basedOn[existing?.path ?? each.path] = existing ? versionOf(contentOf(existing)) : null
    if (existing && !existing.managed && !isOwn(existing) && !files.adopt) {
      plan.faults.push({
        file: each.path,
        path: '',
        msg: 'This object was not made by files. To change it, send `adopt`, or use `--adopt` on the command line.',
      })
    }
    const step = compare({ ...comparing, storedSecrets }, each, existing, contentOf, replaced)
    if (step?.op === 'replace') replaced.add(each.path)
    if (step) plan.steps.push(step)
    if (step?.op === 'replace' && each.kind.withKeys && !files.allowDestroy)
      plan.faults.push({ file: each.path, path: '', msg: `${step.why} ${destroyAdvice}` })
    if (existing?.isPending) plan.pending.push(each.path)
  }
  if (files.prune) addRemovals(plan, comparing, compared, contentOf)
  return plan
}

const destroyAdvice = 'To allow this, send `allowDestroy`, or use `--allow-destroy` on the command line.'

/** Every tenant has its own settings. They need no adoption. */
function isOwn({ kind }: Existing): boolean {
  return kind.name === 'tenant'
}

/** Finds the existing object of each file: at its path, at its earlier path, or in the earlier folder of its owner. */
function pairUp(wanted: readonly Wanted[], { byPath }: State): Map<Wanted, Existing> {
  const pairs = new Map<Wanted, Existing>()
  const ownerMoves = new Map<string, string>()
  for (const each of wanted) {
    const { kind, names, path, movedFrom } = each
    const ownerNames = names.slice(0, 1).map((name) => ownerMoves.get(name) ?? name)
    const inEarlierFolder = kind.parent ? pathOf(kind, [...ownerNames, ...names.slice(1)]) : path
    const existing = byPath.get(path) ?? byPath.get(movedFrom ?? inEarlierFolder)
    if (!existing) continue
    pairs.set(each, existing)
    if (existing.path !== path && names[0] && existing.names[0]) ownerMoves.set(names[0], existing.names[0])
  }
  return pairs
}

function compare(
  comparing: Comparing & { storedSecrets: StoredSecrets },
  wanted: Wanted,
  existing: Existing | undefined,
  contentOf: (existing: Existing) => Content,
  replaced: ReadonlySet<string>,
): Step | undefined {
  const { kind, path } = wanted
  const common = { kind: kind.name, path, wanted, existing, isDestructive: false }
  if (!existing) return { ...common, op: 'create', fields: changedFields({}, wanted.content), why: 'The file is new' }
  const [before, after] = [contentOf(existing), keptMembers(wanted, existing)]
  const fields = [
    ...changedFields(withoutParts(kind, before), withoutParts(kind, after)),
    ...changedParts(kind, before, after),
    ...changedSecret(comparing.storedSecrets, wanted, existing),
    ...movedReferences(wanted, replaced),
  ]
  if (fields.length > 0) return { ...common, fields, ...howToChange(comparing, wanted, existing, fields) }
  const moved = { ...common, fields: [] }
  if (!existing.managed && !isOwn(existing)) return { ...moved, op: 'adopt', why: 'The object was not made by files' }
  if (existing.path !== path && namesDiffer(existing, wanted))
    return { ...moved, op: 'move', why: `The file was ${existing.path}` }
  return undefined
}

/** Whether the own name changes. An object in a folder that moves keeps its row. */
function namesDiffer(existing: Existing, wanted: Wanted): boolean {
  return existing.managed?.name !== wanted.names.at(-1) && !wanted.kind.isOne
}

/** The members that have no default keep their value if the file leaves them out. */
function keptMembers({ kind, content }: Wanted, existing: Existing): Content {
  return kind.name === 'tenant' ? { name: existing.content.name, ...content } : content
}

function howToChange({ operations }: Comparing, wanted: Wanted, existing: Existing, fields: ChangedField[]) {
  const { kind } = wanted
  const { replace, replaceBody } = operations.get(kind) ?? {}
  // The PUT does not accept members that cannot be changed.
  const unknown = replaceBody ? findUnknownMembers(replaceBody, { ...existing.content, ...wanted.content }) : []
  const fixed = fields.map(({ path }) => path.split('.')[0] ?? '').filter((member) => unknown.includes(member))
  if (replace && fixed.length === 0) {
    const lists = listsThatLose(kind, fields)
    const why =
      lists.length === 0
        ? 'The file differs from the object'
        : `The file leaves out items of ${lists.join(' and ')}. They are deleted.`
    return { op: 'update' as const, why, isDestructive: lists.length > 0 }
  }
  const why = replace
    ? `${fixed.join(', ')} cannot be changed. The object is deleted and created again.`
    : `A ${kind.name} cannot be changed. It is deleted and created again.`
  return { op: 'replace' as const, why, isDestructive: true }
}

/** Returns the members that refer to objects that are created again, and therefore get other ids. */
function movedReferences({ kind, content }: Wanted, replaced: ReadonlySet<string>): ChangedField[] {
  return referencesIn(kind, content).flatMap(([path, $ref]) => {
    return replaced.has($ref) ? [{ path, from: { $ref }, to: { $ref } }] : []
  })
}

type StoredSecrets = ReadonlyMap<Existing, string | undefined>

/** The event loop runs after so many secrets. On PostgreSQL they are read with one message. */
const secretsAtOnce = 20

async function readSecrets(
  { db, secrets, tenantId }: Comparing,
  existing: readonly Existing[],
): Promise<StoredSecrets> {
  const stored = new Map<Existing, string | undefined>()
  const withSecret = existing.filter(({ kind }) => kind.secret)
  for (const some of chunksOf(withSecret, secretsAtOnce)) {
    const reading = some.map(async (each) => {
      stored.set(each, await each.kind.secret?.read(db, secrets, tenantId, each.id))
    })
    await Promise.all(reading)
    await setImmediate()
  }
  return stored
}

function changedSecret(
  storedSecrets: StoredSecrets,
  { kind, secret, content }: Wanted,
  existing: Existing,
): ChangedField[] {
  const path = kind.secret?.pathIn(content)
  if (!kind.secret || path === undefined || secret === undefined) return []
  const stored = storedSecrets.get(existing)
  if (stored !== undefined && timingSafeEqual(sha256(stored), sha256(secret))) return []
  return [{ path, from: maskedSecret, to: maskedSecret }]
}

/** Adds the removal of each object that files made and that has no file any more. Objects that others contain come first. */
function addRemovals(
  plan: Plan,
  { state, operations, files }: Comparing,
  compared: Set<Existing>,
  contentOf: (existing: Existing) => Content,
): void {
  const left = [...state.byPath.values()].filter(
    (existing) => existing.managed && !compared.has(existing) && operations.get(existing.kind)?.remove,
  )
  const order = new Map(kinds.map((kind, at) => [kind, at]))
  left.sort((a, b) => (order.get(b.kind) ?? 0) - (order.get(a.kind) ?? 0))
  for (const existing of left) {
    const { kind, path } = existing
    plan.basedOn[path] = versionOf(contentOf(existing))
    if (kind.withKeys && !files.allowDestroy)
      plan.faults.push({
        file: path,
        path: '',
        msg: `The files no longer have it. It is deleted with its key. ${destroyAdvice}`,
      })
    const why = 'The files no longer have it'
    plan.steps.push({
      kind: kind.name,
      path,
      op: 'delete',
      fields: [],
      isDestructive: true,
      why,
      wanted: undefined,
      existing,
    })
  }
}

/** Returns the version of an object for `basedOn`. */
function versionOf(content: Content): string {
  return sha256(canonicalize(content) ?? '')
    .toString('base64url')
    .slice(0, 22)
}

/** The HMAC has the tenant, so that the digests of two tenants do not show whether their secrets are equal. */
function digestOf({ secrets, tenantId, files, wanted }: Comparing): string {
  const { prune, adopt, allowDestroy } = files
  const objects = wanted.map(({ path, content, movedFrom }) => ({ path, content, movedFrom }))
  const secretsByPath = wanted.map(({ path, secret }) => [path, secret])
  const mac = secrets.mac('configuration-plan', JSON.stringify([tenantId, secretsByPath]))
  return sha256(canonicalize({ objects, prune, adopt, allowDestroy, mac }) ?? '').toString('base64url')
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

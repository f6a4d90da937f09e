import { createHash, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import type { Reader } from '../../db/client.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import { findUnknownMembers } from '../http/ignored.ts'
import { maskedSecret, referencesIn, storedContent, withoutReferences } from './content.ts'
import type { FileFault } from './files.ts'
import type { FileObject, StoredObject } from './kind.ts'
import { type ChangedField, type Content, changedFields } from './members.ts'
import { type Pairs, pairUp, pathsAfter } from './pairs.ts'
import type { PlannedChange, TenantFiles } from './schemas.ts'
import { pathsById } from './stored.ts'
import { withPauses } from './with-pauses.ts'

/** A change, with what its execution needs. */
export interface Step extends PlannedChange {
  file: FileObject | undefined
  stored: StoredObject | undefined
}

export interface Plan {
  /** SHA-256 in base64url of the files with their variables, of the options, and of an HMAC of the secrets. */
  digest: string
  /**
   * The versions of the compared objects, by the path after the apply. The changes of the plan leave the versions of other objects as they
   * are, so that an apply can plan again after a part of its changes.
   */
  basedOn: Record<string, string | null>
  steps: Step[]
  faults: FileFault[]
  /** The files whose objects have no keys yet. */
  pending: string[]
  /** The ids of the objects that exist, by the path that they have and by the path of their file. */
  ids: Map<string, string>
}

interface Comparing {
  db: Reader
  secrets: Secrets
  tenantId: string
  options: Pick<TenantFiles, 'prune' | 'adopt' | 'allowDestroy'>
  files: readonly FileObject[]
  stored: ReadonlyMap<string, StoredObject>
}

/** The state of a comparison. */
interface Comparison extends Comparing {
  plan: Plan
  /** The path of each object after the apply. */
  after: ReadonlyMap<StoredObject, string>
  /** The same paths by id. */
  paths: ReadonlyMap<string, string>
  storedSecrets: StoredSecrets
  /** The objects that have a file. */
  compared: Set<StoredObject>
  /** The paths of objects that are created again, and therefore get other ids. */
  replaced: Set<string>
  /** Returns the version of an object for `basedOn`. */
  versionOf(object: StoredObject, content: Content): string
}

/** Compares the files with the objects of the tenant. */
export async function makePlan(comparing: Comparing): Promise<Plan> {
  const { files, stored, options } = comparing
  const pairs = pairUp(files, stored)
  const comparison = await startComparison(comparing, pairs)
  const { plan, compared } = comparison
  for await (const file of withPauses(files)) planFile(comparison, file, pairs.get(file))
  if (!options.prune) return plan
  const left = [...stored.values()].filter((each) => each.managed && !compared.has(each) && each.kind.routes.remove)
  // Objects that others contain come first.
  left.sort((a, b) => b.kind.position - a.kind.position)
  for (const object of left) planRemoval(comparison, object)
  return plan
}

async function startComparison(comparing: Comparing, pairs: Pairs): Promise<Comparison> {
  const objects = [...comparing.stored.values()]
  const ids = new Map(objects.map(({ path, id }) => [path, id]))
  for (const [{ path }, { id }] of pairs) ids.set(path, id)
  const after = pathsAfter(pairs, objects)
  const paths = pathsById([...after].map(([object, path]) => ({ ...object, path })))
  const pathsOfObjects = new Set(paths.values())
  const replaced = new Set<string>()
  return {
    ...comparing,
    plan: { digest: digestOf(comparing), basedOn: {}, steps: [], faults: [], pending: [], ids },
    ...{ after, paths, compared: new Set(), replaced },
    storedSecrets: await readSecrets(comparing, [...pairs.values()]),
    // A reference to an object that this plan creates again changes without another request.
    versionOf: ({ kind }, content) =>
      hashOf(withoutReferences(kind, content, ($ref) => replaced.has($ref) || !pathsOfObjects.has($ref))),
  }
}

/** Adds the change of the object of a file, and what is wrong with it. */
function planFile(comparison: Comparison, file: FileObject, object: StoredObject | undefined): void {
  const { plan, options, compared, replaced } = comparison
  const refuse = (path: string, msg: string) => void plan.faults.push({ file: file.path, path, msg })
  if (object && compared.has(object))
    refuse(
      file.movedFrom === undefined ? '' : 'movedFrom',
      `Another file is for the same object. Its earlier path is ${object.path}.`,
    )
  if (object) compared.add(object)
  const before = object && storedContent(object, comparison.paths)
  plan.basedOn[file.path] = object && before ? comparison.versionOf(object, before) : null
  if (object && isForeign(object) && !options.adopt) refuse('', adoptAdvice)
  const step = object && before ? compare(comparison, file, object, before) : creationOf(file)
  if (step) plan.steps.push(step)
  if (step?.op === 'replace') {
    replaced.add(file.path)
    if (file.kind.provisionsKeys && !options.allowDestroy) refuse('', `${step.why} ${destroyAdvice}`)
  }
  if (object?.isPending) plan.pending.push(file.path)
}

/** Adds the removal of an object that files made and that has no file any more. */
function planRemoval({ plan, options, after, paths, versionOf }: Comparison, object: StoredObject): void {
  const { kind } = object
  const why = 'The files no longer have it'
  const path = after.get(object) ?? object.path
  plan.basedOn[path] = versionOf(object, storedContent(object, paths))
  if (kind.provisionsKeys && !options.allowDestroy)
    plan.faults.push({ file: path, path: '', msg: `${why}. It is deleted with its key. ${destroyAdvice}` })
  const common = { kind: kind.name, path, file: undefined, stored: object, fields: [] }
  plan.steps.push({ ...common, op: 'delete', isDestructive: true, why })
}

const adoptAdvice =
  'This object was not made by files. To change it, send `adopt`, or use `--adopt` on the command line.'
const destroyAdvice = 'To allow this, send `allowDestroy`, or use `--allow-destroy` on the command line.'

/** Whether files did not make the object. Every tenant has its own settings, which need no adoption. */
function isForeign({ kind, managed }: StoredObject): boolean {
  return !managed && kind.name !== 'tenant'
}

function creationOf(file: FileObject): Step {
  const { kind, path, content } = file
  const fields = changedFields({}, content)
  const common = { kind: kind.name, path, file, stored: undefined, isDestructive: false }
  return { ...common, op: 'create', fields, why: 'The file is new' }
}

function compare(
  { storedSecrets, replaced }: Comparison,
  file: FileObject,
  stored: StoredObject,
  before: Content,
): Step | undefined {
  const { kind, path, content, names } = file
  // The name of a tenant has no default: it stays if the file leaves it out.
  const after = kind.name === 'tenant' ? { name: before.name, ...content } : content
  const references = referencesIn(kind, content).filter(([, $ref]) => replaced.has($ref))
  const fields = [
    ...kind.changesBetween(before, after),
    ...changedSecret(storedSecrets, file, stored),
    ...references.map(([member, $ref]) => ({ path: member, from: { $ref }, to: { $ref } })),
  ]
  const common = { kind: kind.name, path, file, stored, fields, isDestructive: false }
  if (fields.length > 0) return { ...common, ...howToChange(file, before, fields) }
  if (isForeign(stored)) return { ...common, op: 'adopt', why: 'The object was not made by files' }
  // An object in a folder that moves keeps its row.
  const isRenamed = stored.managed?.name !== names.at(-1) && !kind.isSingleton
  return stored.path !== path && isRenamed ? { ...common, op: 'move', why: `The file was ${stored.path}` } : undefined
}

function howToChange({ kind, content }: FileObject, before: Content, fields: readonly ChangedField[]) {
  const { routes, bodies, members } = kind
  // The PUT does not accept members that cannot be changed.
  const replaceBody = routes.replace && bodies.at(-1)
  const unknown = replaceBody ? findUnknownMembers(replaceBody, { ...before, ...content }) : []
  const fixed = fields.map(({ path }) => path.split('.')[0] ?? '').filter((member) => unknown.includes(member))
  if (routes.replace && fixed.length === 0) {
    const removed = fields.filter(({ to }) => to === undefined).map(({ path }) => path)
    const lists = members?.deletedWith.filter((path) => removed.includes(path)) ?? []
    const why =
      lists.length === 0
        ? 'The file differs from the object'
        : `The file leaves out items of ${lists.join(' and ')}. They are deleted.`
    return { op: 'update' as const, why, isDestructive: lists.length > 0 }
  }
  const why = routes.replace
    ? `${fixed.join(', ')} cannot be changed. The object is deleted and created again.`
    : `A ${kind.name} cannot be changed. It is deleted and created again.`
  return { op: 'replace' as const, why, isDestructive: true }
}

type StoredSecrets = ReadonlyMap<StoredObject, string | undefined>

/** The event loop runs after so many secrets. On PostgreSQL they are read with one message. */
const secretsAtOnce = 20

async function readSecrets(
  { db, secrets, tenantId }: Comparing,
  objects: readonly StoredObject[],
): Promise<StoredSecrets> {
  const storedSecrets = new Map<StoredObject, string | undefined>()
  const withSecret = objects.filter(({ kind }) => kind.secret)
  for (const some of chunksOf(withSecret, secretsAtOnce)) {
    const reading = some.map(async (each) => {
      storedSecrets.set(each, await each.kind.secret?.read(db, secrets, tenantId, each.id))
    })
    await Promise.all(reading)
    await setImmediate()
  }
  return storedSecrets
}

function changedSecret(
  storedSecrets: StoredSecrets,
  { kind, secret, content }: FileObject,
  object: StoredObject,
): ChangedField[] {
  const path = kind.secret?.pathIn(content)
  if (path === undefined || secret === undefined) return []
  const stored = storedSecrets.get(object)
  if (stored !== undefined && timingSafeEqual(sha256(stored), sha256(secret))) return []
  return [{ path, from: maskedSecret, to: maskedSecret }]
}

function hashOf(content: Content): string {
  return sha256(canonicalize(content) ?? '')
    .toString('base64url')
    .slice(0, 22)
}

/** The HMAC has the tenant, so that the digests of two tenants do not show whether their secrets are equal. */
function digestOf({ secrets, tenantId, options: { prune, adopt, allowDestroy }, files }: Comparing): string {
  const objects = files.map(({ path, content, movedFrom }) => ({ path, content, movedFrom }))
  const secretsByPath = files.map(({ path, secret }) => [path, secret])
  const mac = secrets.mac('configuration-plan', JSON.stringify([tenantId, secretsByPath]))
  return sha256(canonicalize({ objects, prune, adopt, allowDestroy, mac }) ?? '').toString('base64url')
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

import type { FileKind } from '../../shared/domain/tenancy/tenant-files.ts'
import { type Fault, parseContent } from './content.ts'
import { toFileContent } from './file-content.ts'
import type { Content, Kind } from './kind.ts'
import { kinds } from './kinds.ts'
import { isObject, setAt, valueAt } from './members.ts'
import { kindOfPath, pathOf } from './names.ts'
import type { Operations } from './operations.ts'
import { referencePlaces, repeatedItems } from './parts.ts'
import type { TenantFiles } from './schemas.ts'
import type { State } from './state.ts'
import { withPauses } from './with-pauses.ts'

/** A fault with the path of its file. */
export interface FileFault extends Fault {
  file: string
}

/** An object that a file describes. */
export interface Wanted {
  kind: Kind
  path: string
  names: string[]
  /** The earlier path of the file. */
  movedFrom: string | undefined
  /** The parsed content, with references and without the secret. */
  content: Content
  /** The secret, if the content has one. */
  secret: string | undefined
}

/** The most characters that variables and secrets insert. Each use counts, because a small request can use a long value very often. */
const maxInserted = 5_000_000

/** Reads the files in the order in which their objects are created. Returns all faults, if there are some. */
export async function readFiles(
  files: TenantFiles,
  operations: Map<Kind, Operations>,
  state: State,
): Promise<{ wanted: Wanted[]; faults: FileFault[] }> {
  const wanted: Wanted[] = []
  const links: Links[] = []
  const faults: FileFault[] = []
  const inserted = { length: 0 }
  for await (const [path, content] of withPauses(Object.entries(files.objects))) {
    const found = kindOfPath(path)
    const refuse = (member: string, msg: string) => void faults.push({ file: path, path: member, msg })
    if (!found) {
      refuse('', 'No kind of object has files at this path')
      continue
    }
    const { references, places, ...read } = readFile(found.kind, operations.get(found.kind) ?? {}, {
      ...files,
      ...{ content, inserted, refuse },
    })
    links.push({ ...found, path, references, places })
    if (read.content) wanted.push({ ...found, path, ...read, content: read.content })
  }
  const order = new Map(kinds.map((kind, at) => [kind, at]))
  const placeOf = ({ kind }: Wanted) => order.get(kind) ?? 0
  wanted.sort((a, b) => placeOf(a) - placeOf(b) || (a.path < b.path ? -1 : 1))
  return { wanted, faults: [...faults, ...faultsBetween(links, files, state)] }
}

interface Given extends Pick<TenantFiles, 'variables' | 'secrets'> {
  /** The number of inserted characters in all files so far. */
  inserted: { length: number }
  refuse(member: string, msg: string): void
}

/** Returns no content if the file has a fault. */
function readFile(kind: Kind, operations: Operations, { content: file, ...given }: Given & { content: Content }) {
  const { $schema, movedFrom, ...members } = file
  let hasFault = false
  const refuse: Given['refuse'] = (member, msg) => {
    hasFault = true
    given.refuse(member, msg)
  }
  if (movedFrom !== undefined && (typeof movedFrom !== 'string' || kindOfPath(movedFrom)?.kind !== kind))
    refuse('movedFrom', 'Must be an earlier path of this file, without the extension')
  const places: Places = { secrets: [], references: new Map() }
  const content = resolve(members, '', { ...given, refuse }, places) as Content
  for (const member of kind.kept ?? [])
    if (valueAt(content, member) !== undefined) refuse(member, 'Files cannot set this member')
  checkPlaces(kind, content, places, refuse)
  for (const path of repeatedItems(kind, content)) refuse(path, 'Must not be in the list twice')
  const { references } = places
  const parsed = parseContent(kind, operations, withIds(content, places))
  if (Array.isArray(parsed)) for (const { path, msg } of parsed) refuse(path, msg)
  const common = {
    references,
    places: referencePlaces(kind, content),
    movedFrom: typeof movedFrom === 'string' ? movedFrom : undefined,
  }
  if (hasFault || Array.isArray(parsed)) return { ...common, content: undefined, secret: undefined }
  for (const [member, path] of references) setAt(parsed, member, path)
  const secretPath = kind.secret?.pathIn(parsed)
  const secret = secretPath === undefined ? undefined : String(valueAt(parsed, secretPath))
  return { ...common, content: toFileContent(kind, parsed, (path) => path), secret }
}

/** Where a file has secrets, and the paths that its references name. */
interface Places {
  secrets: string[]
  references: Map<string, string>
}

/** Replaces variables and secrets by their values. Records references, and leaves them as they are. */
function resolve(value: unknown, path: string, given: Given, places: Places): unknown {
  if (Array.isArray(value)) return value.map((item, at) => resolve(item, join(path, at), given, places))
  if (!isObject(value)) return value
  const { $var, $secret, $ref } = value
  if ($var !== undefined) return lookUp(given.variables, $var, path, 'variable', given)
  if ($secret !== undefined) {
    places.secrets.push(path)
    return lookUp(given.secrets, $secret, path, 'secret', given)
  }
  if ($ref !== undefined) {
    if (typeof $ref === 'string') places.references.set(path, $ref)
    else given.refuse(path, 'Must be {"$ref": "PATH"} with the path of the other file')
    return value
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, resolve(each, join(path, name), given, places)]),
  )
}

function join(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`
}

function lookUp(
  values: Record<string, string>,
  name: unknown,
  path: string,
  what: string,
  { refuse, inserted }: Given,
): string {
  const value = typeof name === 'string' && Object.hasOwn(values, name) ? values[name] : undefined
  if (typeof name !== 'string') refuse(path, `The name of the ${what} must be a text`)
  else if (value === undefined) refuse(path, `The ${what} ${name} was not given`)
  else if (inserted.length + value.length > maxInserted)
    refuse(path, `Variables and secrets can insert at most ${maxInserted.toLocaleString('en')} characters in all files`)
  else {
    inserted.length += value.length
    return value
  }
  return ''
}

/** Any id has the form that the schemas require. */
const someId = '00000000-0000-4000-8000-000000000000'

/** Returns the content with an id instead of each reference, for the schemas. */
function withIds(content: Content, { references }: Places): Content {
  const copy = structuredClone(content)
  for (const path of references.keys()) setAt(copy, path, someId)
  return copy
}

/** Checks that the file has references and secrets exactly where its kind has them. */
function checkPlaces(kind: Kind, content: Content, { secrets, references }: Places, refuse: Given['refuse']): void {
  const secretPath = kind.secret?.pathIn(content)
  for (const path of secrets)
    if (path !== secretPath) refuse(path, 'This member is not a secret, and is shown in plans. Use a variable.')
  if (secretPath !== undefined && !secrets.includes(secretPath))
    refuse(secretPath, 'Must be {"$secret": "NAME"}, so that no file has the secret')
  const wanted = referencePlaces(kind, content)
  for (const path of references.keys()) if (!wanted.has(path)) refuse(path, 'This member cannot refer to another file')
  for (const path of wanted.keys())
    if (!references.has(path)) refuse(path, 'Must be {"$ref": "PATH"} with the path of the other file')
}

interface Links extends Pick<Wanted, 'kind' | 'names' | 'path'> {
  /** The paths of other files, by member. */
  references: Map<string, string>
  /** The kinds of these files. */
  places: ReadonlyMap<string, FileKind>
}

/** Checks that each reference, and each folder, names an object that exists or that the files have. */
function faultsBetween(links: readonly Links[], { prune }: TenantFiles, state: State): FileFault[] {
  const files = new Set(links.map(({ path }) => path))
  const exists = (path: string) => {
    const existing = state.byPath.get(path)
    return files.has(path) || (existing !== undefined && !(prune && existing.managed))
  }
  return links.flatMap(({ kind, names, path: file, references, places }) => {
    const faults: FileFault[] = []
    for (const [member, wantedKind] of places) {
      const to = references.get(member)
      if (to === undefined) continue
      const found = kindOfPath(to)
      if (found?.kind.name !== wantedKind)
        faults.push({ file, path: member, msg: `Must be the path of a file of the kind ${wantedKind}` })
      else if (found.kind.parent && found.names[0] !== names[0])
        faults.push({ file, path: member, msg: `Must be the path of a file of the same ${found.kind.parent.kind}` })
      else if (!exists(to)) faults.push({ file, path: member, msg: `No file and no object is at ${to}` })
    }
    const owner = kinds.find(({ name }) => name === kind.parent?.kind)
    const ownerPath = owner && pathOf(owner, names)
    if (ownerPath && !exists(ownerPath)) faults.push({ file, path: '', msg: `Requires the file ${ownerPath}` })
    return faults
  })
}

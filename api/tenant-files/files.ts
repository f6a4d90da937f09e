import { isJsonObject } from '../../shared/formats/json-object.ts'
import { type Fault, parseMembers, referencePlaces, toContent } from './content.ts'
import type { FileObject, Kind, Kinds, StoredObject } from './kind.ts'
import { type Content, setAt, valueAt } from './members.ts'
import { kindOfPath, ownerPathOf } from './names.ts'
import type { TenantFiles } from './schemas.ts'
import { withPauses } from './with-pauses.ts'

/** A fault with the path of its file. */
export interface FileFault extends Fault {
  file: string
}

/** The most characters that variables and secrets insert. Each use counts, because a small request can use a long value very often. */
const maxInserted = 5_000_000

/** Reads the files in the order in which their objects are created. Returns all faults, and the files without a fault of their own. */
export async function readFiles(
  files: TenantFiles,
  kinds: Kinds,
  stored: ReadonlyMap<string, StoredObject>,
): Promise<{ objects: FileObject[]; faults: FileFault[] }> {
  const objects: FileObject[] = []
  const faults: FileFault[] = []
  const inserted = { length: 0 }
  for await (const [path, members] of withPauses(Object.entries(files.objects))) {
    const refuse = (member: string, msg: string) => void faults.push({ file: path, path: member, msg })
    const place = kindOfPath(kinds, path)
    if (place) objects.push({ ...place, path, ...readFile(place.kind, kinds, members, { ...files, inserted, refuse }) })
    else refuse('', 'No kind of object has files at this path')
  }
  const faulty = new Set(faults.map(({ file }) => file))
  return {
    objects: objects
      .filter(({ path }) => !faulty.has(path))
      .sort((a, b) => a.kind.position - b.kind.position || (a.path < b.path ? -1 : 1)),
    faults: [...faults, ...faultsBetween(objects, files, kinds, stored)],
  }
}

interface Values extends Pick<TenantFiles, 'variables' | 'secrets'> {
  /** The number of inserted characters in all files so far. */
  inserted: { length: number }
  refuse(member: string, msg: string): void
}

/** Any id has the form that the schemas require. It stands for a reference until the members are parsed. */
const anyId = '00000000-0000-4000-8000-000000000000'

/** Where a file has secrets, and the paths that its references name. */
interface Places {
  secrets: string[]
  references: Map<string, string>
}

/** Reads a file. The content of a file with a fault is the one that was sent. */
function readFile(kind: Kind, kinds: Kinds, file: Content, values: Values) {
  const { $schema, movedFrom, ...members } = file
  const { refuse } = values
  if (movedFrom !== undefined && (typeof movedFrom !== 'string' || kindOfPath(kinds, movedFrom)?.kind !== kind))
    refuse('movedFrom', 'Must be an earlier path of this file, without the extension')
  const places: Places = { secrets: [], references: new Map() }
  const sent = insertValues(members, '', values, places) as Content
  for (const member of kind.serverManaged ?? [])
    if (valueAt(sent, member) !== undefined) refuse(member, 'Files cannot set this member')
  checkPlaces(kind, sent, places, refuse)
  const parsed = parseMembers(kind, sent)
  if (Array.isArray(parsed)) for (const { path, msg } of parsed) refuse(path, msg)
  for (const [member, $ref] of places.references) setAt(sent, member, { $ref })
  for (const path of kind.members?.repeatedItems(sent) ?? []) refuse(path, 'Must not be in the list twice')
  const earlierPath = typeof movedFrom === 'string' ? movedFrom : undefined
  if (Array.isArray(parsed)) return { content: sent, secret: undefined, movedFrom: earlierPath }
  const secretPath = kind.secret?.pathIn(parsed)
  const secret = secretPath === undefined ? undefined : String(valueAt(parsed, secretPath))
  const content = toContent(kind, parsed, (member) => places.references.get(member))
  return { content, secret, movedFrom: earlierPath }
}

/** Replaces variables and secrets by their values, and references by an id. Records the places of secrets and references. */
function insertValues(value: unknown, path: string, values: Values, places: Places): unknown {
  const join = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
  if (Array.isArray(value)) return value.map((item, at) => insertValues(item, join(at), values, places))
  if (!isJsonObject(value)) return value
  const { $var, $secret, $ref } = value
  if ($var !== undefined) return lookUp(values.variables, $var, path, 'variable', values)
  if ($secret !== undefined) {
    places.secrets.push(path)
    return lookUp(values.secrets, $secret, path, 'secret', values)
  }
  if ($ref !== undefined) {
    if (typeof $ref === 'string') places.references.set(path, $ref)
    else values.refuse(path, 'Must be {"$ref": "PATH"} with the path of the other file')
    return typeof $ref === 'string' ? anyId : value
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, insertValues(each, join(name), values, places)]),
  )
}

function lookUp(
  values: Record<string, string>,
  name: unknown,
  path: string,
  what: string,
  { refuse, inserted }: Values,
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

/** Checks that the file has references and secrets exactly where its kind has them. */
function checkPlaces(kind: Kind, sent: Content, { secrets, references }: Places, refuse: Values['refuse']): void {
  const secretPath = kind.secret?.pathIn(sent)
  for (const path of secrets)
    if (path !== secretPath) refuse(path, 'This member is not a secret, and is shown in plans. Use a variable.')
  if (secretPath !== undefined && !secrets.includes(secretPath))
    refuse(secretPath, 'Must be {"$secret": "NAME"}, so that no file has the secret')
  const places = referencePlaces(kind, sent)
  for (const path of references.keys()) if (!places.has(path)) refuse(path, 'This member cannot refer to another file')
  for (const path of places.keys())
    if (!references.has(path)) refuse(path, 'Must be {"$ref": "PATH"} with the path of the other file')
}

/** Checks that each reference, and each folder, names an object that exists or that the files have. */
function faultsBetween(
  objects: readonly FileObject[],
  { prune }: TenantFiles,
  kinds: Kinds,
  stored: ReadonlyMap<string, StoredObject>,
): FileFault[] {
  const files = new Set(objects.map(({ path }) => path))
  const exists = (path: string) => {
    const object = stored.get(path)
    return files.has(path) || (object !== undefined && !(prune && object.managed))
  }
  return objects.flatMap((object) => {
    const { kind, names, path: file, content } = object
    const faults: FileFault[] = []
    const refuse = (path: string, msg: string) => void faults.push({ file, path, msg })
    for (const [member, kindNames] of referencePlaces(kind, content)) {
      const to = valueAt(valueAt(content, member), '$ref')
      if (typeof to !== 'string') continue
      const other = kindOfPath(kinds, to)
      if (!other || !kindNames.includes(other.kind.name))
        refuse(member, `Must be the path of a file of the kind ${kindNames.join(' or ')}`)
      else if (other.kind.parent && other.names[0] !== names[0])
        refuse(member, `Must be the path of a file of the same ${other.kind.parent.kind}`)
      else if (!exists(to)) refuse(member, `No file and no object is at ${to}`)
    }
    const ownerPath = ownerPathOf(object)
    if (ownerPath && !exists(ownerPath)) refuse('', `Requires the file ${ownerPath}`)
    return faults
  })
}

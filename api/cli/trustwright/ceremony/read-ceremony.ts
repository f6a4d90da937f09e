import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import jsonc from 'jsonc-parser'
import type { z } from 'zod'
import { UsageError } from '../command.ts'
import { faultAt, type LocalFileFault, refuseFaults } from '../files/faults.ts'
import { readJsonText } from '../files/read-tenant-file.ts'
import { lineAt, type TenantFile, visitObjects } from '../files/tenant-file.ts'
import { Ceremony, type FileReference } from './ceremony-file.ts'
import { faultsOfApprovers, faultsOfIds } from './repeated-entries.ts'

/** A ceremony file with the files that it names. */
export interface ReadCeremony {
  file: TenantFile
  bytes: Buffer
  /** SHA-256 of the file, in hex. */
  digest: string
  content: Ceremony
  /** The files beside it, by name. */
  inputs: ReadonlyMap<string, Buffer>
}

const maxBytes = 1_000_000

/** Reads a ceremony file and the files that it names. Throws a `FilesError` that names each wrong field. */
export function readCeremony(path: string): ReadCeremony {
  const bytes = readLimited(path)
  const { file, content } = parseFile(basename(path), bytes, Ceremony, factsOfMachine)
  const inputs = new Map<string, Buffer>()
  const faults: LocalFileFault[] = []
  for (const { reference, member } of referencesIn(content)) {
    try {
      inputs.set(reference.file, readLimited(join(dirname(path), reference.file)))
    } catch (error) {
      faults.push(faultAt(file, `${member}.file`, (error as Error).message))
    }
  }
  refuseFaults(faults)
  return withInputs(file, bytes, content, inputs)
}

/** Parses a ceremony file whose other files were read. Throws a `FilesError` that names each wrong field. */
export function parseCeremony(name: string, bytes: Buffer, inputs: ReadonlyMap<string, Buffer>): ReadCeremony {
  const { file, content } = parseFile(name, bytes, Ceremony, factsOfMachine)
  return withInputs(file, bytes, content, inputs)
}

function withInputs(
  file: TenantFile,
  bytes: Buffer,
  content: Ceremony,
  inputs: ReadonlyMap<string, Buffer>,
): ReadCeremony {
  const faults = referencesIn(content).flatMap(({ reference, member }) => {
    const digest = sha256Hex(inputs.get(reference.file) ?? Buffer.alloc(0))
    if (digest === reference.sha256) return []
    return [faultAt(file, `${member}.sha256`, `Is not the SHA-256 of ${reference.file}, which is ${digest}`)]
  })
  refuseFaults([...faults, ...faultsOfApprovers(file, content), ...faultsOfIds(file, content)])
  return { file, bytes, digest: sha256Hex(bytes), content, inputs }
}

/** Parses a file of JSON with comments by a schema. Throws a `FilesError` that names each wrong field. */
export function parseFile<Schema extends z.ZodType>(
  name: string,
  bytes: Buffer,
  schema: Schema,
  check: (file: TenantFile) => LocalFileFault[] = () => [],
): { file: TenantFile; content: z.output<Schema> } {
  const { tenantFile: file, fault } = readJsonText(name, textOf(name, bytes))
  refuseFaults(fault ? [fault] : repeatedMembers(file))
  const result = schema.safeParse(file.content)
  const facts = check(file)
  const isFact = (member: string) => facts.some((each) => each.member === member)
  const wrong = result.error?.issues.flatMap((issue) => faultsOf(file, issue)) ?? []
  refuseFaults([...facts, ...wrong.filter(({ member }) => !isFact(member ?? ''))])
  return { file, content: result.data as z.output<Schema> }
}

/** Reads a file of at most 1 MB. Throws a `UsageError` if it cannot be read. */
export function readLimited(path: string): Buffer {
  try {
    if (statSync(path).size <= maxBytes) return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new UsageError(`${path} has more than ${maxBytes} bytes`)
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function textOf(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${name}: Not UTF-8. Save the file in UTF-8.`)
  }
}

/** Finds members with one name. A person who reviews the file could take another one than the parser. */
function repeatedMembers(file: TenantFile): LocalFileFault[] {
  const faults: LocalFileFault[] = []
  const open: Set<string>[] = []
  jsonc.visit(file.text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(name, offset) {
      if (open.at(-1)?.has(name))
        faults.push({ file: file.file, line: lineAt(file.text, offset), message: `${name}: Occurs twice. Remove one.` })
      open.at(-1)?.add(name)
    },
  })
  return faults
}

function faultsOf(file: TenantFile, issue: z.core.$ZodIssue): LocalFileFault[] {
  const path = issue.path.join('.')
  const memberOf = (name: string) => (path === '' ? name : `${path}.${name}`)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => faultAt(file, memberOf(name), 'There is no such field here. Remove it.'))
  const isMissing = issue.code === 'invalid_type' && valueAt(file.content, issue.path) === undefined
  return [faultAt(file, path, isMissing ? 'Is missing. Add it.' : issue.message)]
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    content,
  )
}

/** The fields that the file of a machine has, and other names for them. */
const machineFields = [
  'module',
  'library',
  'slot',
  'token',
  'tokenUri',
  'pin',
  'pinFile',
  'pinValue',
  'handle',
  'keyFile',
]

function factsOfMachine(file: TenantFile): LocalFileFault[] {
  const faults: LocalFileFault[] = []
  visitObjects(file.content, (value, path) => {
    for (const name of Object.keys(value))
      if (machineFields.includes(name))
        faults.push(
          faultAt(
            file,
            path === '' ? name : `${path}.${name}`,
            'Is a fact of a machine. Move it to the file of --machine.',
          ),
        )
  })
  return faults
}

interface FoundReference {
  reference: FileReference
  member: string
}

function referencesIn({ make }: Ceremony): FoundReference[] {
  return make.flatMap((item, index) =>
    (['issuer', 'next', 'request'] as const).flatMap((name) => {
      const reference = name in item ? (Reflect.get(item, name) as FileReference | string) : ''
      return typeof reference === 'string' ? [] : [{ reference, member: `make.${index}.${name}` }]
    }),
  )
}

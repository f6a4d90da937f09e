import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import jsonc from 'jsonc-parser'
import { filePaths, kindOfPath } from '../../../../shared/domain/tenancy/tenant-files.ts'
import type { FileFault } from './faults.ts'
import { type ListedFile, listFolder } from './list-folder.ts'

type Content = Record<string, unknown>

/** A file of a tenant. */
export interface TenantFile {
  /** The name in the folder, with its extension. */
  file: string
  text: string
  content: Content
}

/** The kinds whose files can be a certificate in PEM. */
const certificateKinds = ['trusted issuer', 'wallet provider', 'iaca']
const schemaFolder = '.schemas'

const unknownPath = 'No kind of object has files at this path. A name has lower-case letters, digits, - and _.'

interface Folder {
  files: Map<string, TenantFile>
  /** In the order of the files. */
  faults: FileFault[]
  /** The names of the files that are not read because of their extension. */
  leftOut: string[]
}

/**
 * Reads the files of a folder, by their path without the extension. Files and folders that begin with a dot are not read. Throws a
 * `UsageError` if a folder cannot be read.
 */
export function readFolder(folder: string): Folder {
  const { files: listed, faults } = listFolder(folder)
  const files = new Map<string, TenantFile>()
  const misplaced: ListedFile[] = []
  const others: ListedFile[] = []
  const realPaths = new Set<string>()
  for (const entry of listed) {
    const { name: file, realPath } = entry
    const [, path = '', extension = ''] = /^(.*)\.(jsonc|json|pem)$/.exec(file) ?? []
    const kind = kindOfPath(path)?.kind
    if (path === '') others.push(entry)
    else if (!kind) misplaced.push(entry)
    else if (files.has(path)) faults.push({ file, message: `${files.get(path)?.file} has the same name` })
    else {
      realPaths.add(realPath)
      const text = readFileSync(realPath, 'utf8')
      const content = extension === 'pem' ? { certificatePem: text } : readJson(file, text, faults)
      if (extension === 'pem' && !certificateKinds.includes(kind)) faults.push({ file, message: 'Must be JSON' })
      files.set(path, { file, text, content })
    }
  }
  // The file that a link leads to can have any path.
  const isUnread = ({ realPath }: ListedFile) => !realPaths.has(realPath)
  faults.push(...misplaced.filter(isUnread).map(({ name }) => ({ file: name, message: unknownPath })))
  faults.sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)))
  return { files, faults, leftOut: others.filter(isUnread).map(({ name }) => name) }
}

function readJson(file: string, text: string, faults: FileFault[]): Content {
  const errors: jsonc.ParseError[] = []
  const content: unknown = jsonc.parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    // Such as `ColonExpected`.
    const words = jsonc.printParseErrorCode(error.error).replace(/(?!^)[A-Z]/g, ' $&')
    const message = `Not JSON: ${words.toLowerCase()}`
    faults.push({ file, line: lineAt(text, error.offset), message })
    return {}
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content as Content
  faults.push({ file, line: 1, message: 'Must be a JSON object' })
  return {}
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Returns the line of a member, or of the nearest member that contains it. */
export function lineOfMember({ file, text }: TenantFile, path: string): number | undefined {
  if (file.endsWith('.pem')) return undefined
  const tree = jsonc.parseTree(text, [], { allowTrailingComma: true })
  const names = path === '' ? [] : path.split('.').map((name) => (/^\d+$/.test(name) ? Number(name) : name))
  for (let length = names.length; tree && length >= 0; length--) {
    const node = jsonc.findNodeAtLocation(tree, names.slice(0, length))
    if (node) return lineAt(text, node.offset)
  }
  return undefined
}

/** Returns the names of the variables or the secrets that the files have. */
export function namesOf(files: Map<string, TenantFile>, member: '$var' | '$secret'): Set<string> {
  const names = new Set<string>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const name = Reflect.get(value, member)
    if (typeof name === 'string') names.add(name)
    for (const each of Object.values(value)) visit(each)
  }
  for (const { content } of files.values()) visit(content)
  return names
}

/** Writes a file for each object. An object with nothing but a certificate becomes a PEM file. Returns the names of the files. */
export function writeFolder(
  folder: string,
  objects: Record<string, Content>,
  schemas: Record<string, Content>,
): string[] {
  for (const [path, schema] of Object.entries(schemas)) write(join(folder, schemaFolder, schemaName(path)), schema)
  return Object.entries(objects).map(([path, content]) => {
    const { certificatePem, ...others } = content
    if (typeof certificatePem === 'string' && Object.keys(others).length === 0) {
      writeText(join(folder, `${path}.pem`), certificatePem)
      return `${path}.pem`
    }
    const kind = kindOfPath(path)?.kind
    const schema = kind && join('../'.repeat(path.split('/').length - 1), schemaFolder, schemaName(filePaths[kind]))
    write(join(folder, `${path}.jsonc`), { ...(schema && { $schema: schema }), ...content })
    return `${path}.jsonc`
  })
}

/** `configurations-mobile.json` of `configurations/mobile/*`. */
function schemaName(path: string): string {
  return `${path.replaceAll('/*', '').replaceAll('*/', '').replaceAll('/', '-')}.json`
}

function write(file: string, content: Content): void {
  writeText(file, `${JSON.stringify(content, null, 2)}\n`)
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

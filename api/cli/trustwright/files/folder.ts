import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileKindOfPath, filePaths } from '../../../../shared/domain/tenancy/tenant-files.ts'
import { UsageError } from '../command.ts'
import type { LocalFileFault } from './faults.ts'
import { type ListedFile, listFolder } from './list-folder.ts'
import { readTenantFile } from './read-tenant-file.ts'
import type { FileContent, TenantFile } from './tenant-file.ts'

const schemaFolder = '.schemas'

const unknownPath = 'No kind of object has files at this path. A name has lower-case letters, digits, - and _.'

interface Folder {
  files: Map<string, TenantFile>
  faults: LocalFileFault[]
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
    const [, path = ''] = /^(.*)\.(?:jsonc|json|pem)$/.exec(file) ?? []
    const kind = fileKindOfPath(path)?.kind
    if (path === '') others.push(entry)
    else if (!kind) misplaced.push(entry)
    else if (files.has(path)) faults.push({ file, message: `${files.get(path)?.file} has the same name` })
    else {
      realPaths.add(realPath)
      const { tenantFile, fault } = readTenantFile(kind, entry)
      files.set(path, tenantFile)
      if (fault) faults.push(fault)
    }
  }
  // The file that a link leads to can have any path.
  const isUnread = ({ realPath }: ListedFile) => !realPaths.has(realPath)
  faults.push(...misplaced.filter(isUnread).map(({ name }) => ({ file: name, message: unknownPath })))
  return { files, faults, leftOut: others.filter(isUnread).map(({ name }) => name) }
}

/**
 * Writes a file for each object. An object with nothing but a certificate becomes a PEM file. Returns the names of the files. The paths come
 * from the service: throws a `UsageError` if one of them is unknown, and then writes nothing.
 */
export function writeFolder(
  folder: string,
  objects: Record<string, FileContent>,
  schemas: Record<string, FileContent>,
): string[] {
  refuseUnknown(Object.keys(objects).find((path) => !fileKindOfPath(path)))
  refuseUnknown(Object.keys(schemas).find((path) => !Object.values<string>(filePaths).includes(path)))
  for (const [path, schema] of Object.entries(schemas)) write(join(folder, schemaFolder, schemaName(path)), schema)
  return Object.entries(objects).map(([path, content]) => {
    const { certificatePem, ...others } = content
    if (typeof certificatePem === 'string' && Object.keys(others).length === 0) {
      writeText(join(folder, `${path}.pem`), certificatePem)
      return `${path}.pem`
    }
    const kind = fileKindOfPath(path)?.kind
    const schema = kind && join('../'.repeat(path.split('/').length - 1), schemaFolder, schemaName(filePaths[kind]))
    write(join(folder, `${path}.jsonc`), { ...(schema && { $schema: schema }), ...content })
    return `${path}.jsonc`
  })
}

function refuseUnknown(path: string | undefined): void {
  if (path === undefined) return
  const message = `The service has an object at ${JSON.stringify(path)}, which this version cannot write. Nothing was written`
  throw new UsageError(`${message}. Update the command line, or check the base URL.`)
}

/** `configurations-mobile.json` of `configurations/mobile/*`. */
function schemaName(path: string): string {
  return `${path.replaceAll('/*', '').replaceAll('*/', '').replaceAll('/', '-')}.json`
}

function write(file: string, content: FileContent): void {
  writeText(file, `${JSON.stringify(content, null, 2)}\n`)
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

import { TrustwrightError } from '../../../../shared/client/client.ts'
import { kindOfPath } from '../../../../shared/domain/tenancy/tenant-files.ts'
import { type Option, type Running, textOf, UsageError } from '../command.ts'
import { type FileFault, faultAt, refuseFaults } from './faults.ts'
import { readFolder } from './folder.ts'
import { type TenantFile, visitObjects } from './tenant-file.ts'
import { valuesOf } from './values.ts'

/** The options of the commands that read files. */
export const fileOptions = {
  folder: { type: 'string', value: 'FOLDER', help: 'The folder of the files. Default: the current folder' },
  var: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    help: 'A variable. Can be repeated. Replaces TRUSTWRIGHT_VAR_NAME of the environment',
  },
  'var-file': { type: 'string', value: 'FILE', help: 'A JSON object with variables' },
} satisfies Record<string, Option>

export const planOptions = {
  ...fileOptions,
  prune: { type: 'boolean', help: 'Delete objects that files made and that have no file any more' },
  adopt: { type: 'boolean', help: 'Change objects that were not made by files and that have the path of a file' },
  'allow-destroy': { type: 'boolean', help: 'Allow the deletion of authorities with their keys' },
} satisfies Record<string, Option>

export interface Bundle {
  format: 1
  objects: Record<string, Record<string, unknown>>
  variables: Record<string, string>
  secrets: Record<string, string>
  prune: boolean
  adopt: boolean
  allowDestroy: boolean
}

/**
 * Reads the folder of the command. Names on standard error which files are left out. Throws a `FilesError` with all faults, and a
 * `UsageError` if there are no files.
 */
export function readFiles(running: Running): Map<string, TenantFile> {
  const folder = textOf(running, 'folder') ?? '.'
  const { files, faults, leftOut } = readFolder(folder)
  for (const name of leftOut)
    running.terminal.stderr.write(`${name} is not read, because its name does not end with .jsonc, .json or .pem\n`)
  refuseFaults([...faults, ...faultsBetween(files)])
  if (files.size === 0)
    throw new UsageError(`${folder} has no configuration files. Choose another folder with --folder.`)
  return files
}

/** Reads the folder of the command, with the values of its variables and secrets. Throws as `readFiles`. */
export function readBundle(running: Running): { bundle: Bundle; files: Map<string, TenantFile> } {
  const files = readFiles(running)
  const { variables, secrets, faults } = valuesOf(files, running)
  refuseFaults(faults)
  const flags = running.values
  const bundle: Bundle = {
    format: 1,
    objects: Object.fromEntries([...files].map(([path, { content }]) => [path, content])),
    ...{ variables, secrets },
    ...{ prune: flags.prune === true, adopt: flags.adopt === true, allowDestroy: flags['allow-destroy'] === true },
  }
  return { bundle, files }
}

/** Checks what can be checked without the service: that references and folders name files. */
function faultsBetween(files: Map<string, TenantFile>): FileFault[] {
  return [...files].flatMap(([path, file]) => {
    const faults: FileFault[] = []
    visitObjects(file.content, (value, member) => {
      const to = Reflect.get(value, '$ref')
      if (to !== undefined && !kindOfPath(String(to)))
        faults.push(faultAt(file, member, `${String(to)} is not the path of a file`))
    })
    const movedFrom = file.content.movedFrom
    if (movedFrom !== undefined && kindOfPath(String(movedFrom))?.kind !== kindOfPath(path)?.kind)
      faults.push(faultAt(file, 'movedFrom', 'Must be an earlier path of this file, without the extension'))
    return faults
  })
}

/** Runs a request of files. Throws its faults with their files and lines. */
export async function withFaults<Result>(files: Map<string, TenantFile>, request: Promise<Result>): Promise<Result> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof TrustwrightError) || error.details.length === 0) throw error
    const faults = error.details.map(({ param = '', msg = '' }): FileFault => {
      const [, path = '', member = ''] = /^(?:objects|basedOn)\.([^.]+)\.?(.*)$/s.exec(param) ?? []
      const file = files.get(path)
      return file ? faultAt(file, member, msg) : { file: path === '' ? param : path, message: msg }
    })
    refuseFaults(faults)
    throw error
  }
}

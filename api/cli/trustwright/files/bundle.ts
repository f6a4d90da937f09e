import { TrustwrightError } from '../../../../shared/client/client.ts'
import { fileKindOfPath } from '../../../../shared/domain/tenancy/tenant-files.ts'
import { type CommandCall, type Option, textOf, UsageError } from '../command.ts'
import { FilesError, faultAt, type LocalFileFault, refuseFaults } from './faults.ts'
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

/** The files of a folder, with the faults that are found without the service. The content of a faulty file can be empty. */
interface ReadFiles {
  files: Map<string, TenantFile>
  faults: LocalFileFault[]
}

/** Reads the folder of the command. Names on standard error which files are left out. Throws a `UsageError` if there are no files. */
export function readCommandFiles(call: CommandCall): ReadFiles {
  const folder = textOf(call, 'folder') ?? '.'
  const { files, faults, leftOut } = readFolder(folder)
  for (const name of leftOut)
    call.terminal.stderr.write(`${name} is not read, because its name does not end with .jsonc, .json or .pem\n`)
  if (files.size === 0 && faults.length === 0)
    throw new UsageError(`${folder} has no configuration files. Choose another folder with --folder.`)
  return { files, faults: [...faults, ...faultsBetween(files)] }
}

/** Reads the folder of the command, with the values of its variables and secrets. Throws as `readFiles`. */
export function readBundle(call: CommandCall): ReadFiles & { bundle: Bundle } {
  const { files, faults } = readCommandFiles(call)
  const { variables, secrets, faults: missing } = valuesOf(files, call)
  const flags = call.values
  const bundle: Bundle = {
    format: 1,
    objects: Object.fromEntries([...files].map(([path, { content }]) => [path, content])),
    ...{ variables, secrets },
    ...{ prune: flags.prune === true, adopt: flags.adopt === true, allowDestroy: flags['allow-destroy'] === true },
  }
  return { bundle, files, faults: [...faults, ...missing] }
}

/** Checks what can be checked without the service: that references and folders name files. */
function faultsBetween(files: Map<string, TenantFile>): LocalFileFault[] {
  return [...files].flatMap(([path, file]) => {
    const faults: LocalFileFault[] = []
    visitObjects(file.content, (value, member) => {
      const to = Reflect.get(value, '$ref')
      if (to !== undefined && !fileKindOfPath(String(to)))
        faults.push(faultAt(file, member, `${String(to)} is not the path of a file`))
    })
    const movedFrom = file.content.movedFrom
    if (movedFrom !== undefined && fileKindOfPath(String(movedFrom))?.kind !== fileKindOfPath(path)?.kind)
      faults.push(faultAt(file, 'movedFrom', 'Must be an earlier path of this file, without the extension'))
    return faults
  })
}

/**
 * Runs a request of files. Throws a `FilesError` with all faults: those that are found without the service, and those of the response. The
 * service does not repeat the fault of a member or of a whole file.
 */
export async function withFaults<Result>(
  { files, faults }: ReadFiles,
  request: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await request()
    refuseFaults(faults)
    return result
  } catch (error) {
    if (error instanceof FilesError) throw error
    const reported = faultsOfResponse(error, files)
    const isKnown = ({ file, member }: LocalFileFault) =>
      faults.some((fault) => fault.file === file && (fault.member === undefined || fault.member === member))
    refuseFaults([...faults, ...reported.filter((fault) => !isKnown(fault))])
    throw error
  }
}

function faultsOfResponse(error: unknown, files: Map<string, TenantFile>): LocalFileFault[] {
  if (!(error instanceof TrustwrightError)) return []
  return error.details.map(({ param = '', msg = '' }): LocalFileFault => {
    const [, path = '', member = ''] = /^(?:objects|basedOn)\.([^.]+)\.?(.*)$/s.exec(param) ?? []
    const file = files.get(path)
    return file ? faultAt(file, member, msg) : { file: path === '' ? param : path, message: msg }
  })
}

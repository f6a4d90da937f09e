import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ApiClient, dataOf } from '../../../../shared/client/client.ts'
import { type Checkpoint, ed25519KeysOf, openCheckpoint } from '../../../../shared/formats/checkpoint.ts'
import { isConsistent } from '../../../../shared/formats/merkle-tree.ts'
import { readTextFile } from '../../../../shared/read-text-file.ts'
import { type Command, type CommandCall, textsOf, UsageError } from '../command.ts'
import { countOf } from '../count-of.ts'
import { findProfile, profilesFile } from '../profiles.ts'

/** A checkpoint of the audit that the service cannot prove. */
class UnprovenAudit extends Error {}

export const verifyAudit: Command = {
  name: 'audit verify',
  usage: '',
  summary: 'Verify the last checkpoint of the audit, and that the audit begins with earlier checkpoints',
  details: [
    'Each verified checkpoint is stored beside the profiles. The next run proves that no entry before it was changed or removed.',
    'The client needs the role admin or auditor, or platform for the platform.',
  ],
  options: {
    checkpoint: {
      type: 'string',
      multiple: true,
      value: 'FILE',
      help: 'Also compare with this checkpoint, which you stored. Can be repeated',
    },
  },
  examples: ['trustwright audit verify', 'trustwright audit verify --checkpoint checkpoint.txt --json'],
  async run(call) {
    const client = await call.client()
    const { host } = new URL(findProfile(call.terminal.env, call.profile).baseUrl)
    const note = await dataOf(client.GET('/v1/audit/checkpoint', { parseAs: 'text' }))
    const keys = ed25519KeysOf(await dataOf(client.GET('/v1/audit/jwks')))
    const open = (text: string, source: string) => openOwn(text, { keys, host, source })
    const last = open(note, 'of the service')
    const stored = storedFile(call, host)
    const files = [...textsOf(call, 'checkpoint'), ...(existsSync(stored) ? [stored] : [])]
    for (const file of files) await proveBeginning(client, open(readCheckpoint(file), `in ${file}`), last, file)
    mkdirSync(dirname(stored), { recursive: true, mode: 0o700 })
    writeFileSync(stored, note)
    const result = { size: last.size, root: last.root.toString('base64'), comparedWith: files, stored }
    const compared =
      files.length === 0 ? 'There is no earlier checkpoint to compare.' : `It begins with the entries of:`
    const size = countOf(last.size, 'entry', 'entries')
    call.print(result, [`The audit has ${size}. ${compared}`, ...files.map((file) => `  ${file}`)].join('\n'))
  },
}

function storedFile({ terminal }: CommandCall, host: string): string {
  return join(dirname(profilesFile(terminal.env)), 'checkpoints', `${host.replaceAll(/[^\w.-]/g, '_')}.txt`)
}

function readCheckpoint(file: string): string {
  try {
    return readTextFile(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function openOwn(
  note: string,
  by: { keys: Parameters<typeof openCheckpoint>[1]; host: string; source: string },
): Checkpoint {
  const checkpoint = openCheckpoint(note, by.keys)
  if (!checkpoint) throw new UnprovenAudit(`The checkpoint ${by.source} is not signed by a key of the audit`)
  if (checkpoint.origin === `${by.host}/v1/audit`) return checkpoint
  throw new UnprovenAudit(`The checkpoint ${by.source} is of ${checkpoint.origin}, not of ${by.host}/v1/audit`)
}

/** Throws an error unless the service proves that the audit begins with the entries of the earlier checkpoint. */
async function proveBeginning(client: ApiClient, earlier: Checkpoint, last: Checkpoint, file: string): Promise<void> {
  if (earlier.size > last.size)
    throw new UnprovenAudit(`The audit has ${last.size} entries, but the checkpoint in ${file} has ${earlier.size}`)
  const query = { from: earlier.size, to: last.size }
  const { hashes } =
    earlier.size === last.size
      ? { hashes: [] }
      : await dataOf(client.GET('/v1/audit/consistency', { params: { query } }))
  const proof = hashes.map((each) => Buffer.from(each, 'base64'))
  if (!isConsistent(earlier, last, proof))
    throw new UnprovenAudit(`The audit was changed: it does not begin with the ${earlier.size} entries of ${file}`)
}

import '../../../shared/quick-resolve.ts'
import { parseArgs } from 'node:util'
import { systemClock } from '../../../shared/clock.ts'
import { useCompileCache } from '../../../shared/process/compile-cache.ts'
import { exitIfMisconfigured, Misconfigured } from '../../../shared/process/dependency.ts'
import { readConfig } from '../../../shared/settings/config.ts'
import { openKeyEncryptionKeys } from '../keys/key-encryption-keys.ts'

/**
 * `npm run tenant -- ...`: moves one tenant to another installation. See docs/grow-and-move.md. The commands need the settings of a
 * signing process.
 */
const usage = `npm run tenant -- receive FOLDER
    Makes the keys for one move, at the new installation.
npm run tenant -- export TENANT FILE --to receiver.json
    Writes a read-only tenant to a file that only the receiver can open. TENANT is its id or a host.
npm run tenant -- import FILE --folder FOLDER
    Imports the tenant at the new installation, and writes the proof of it to the folder of the keys.
npm run tenant -- end PROOF --to receiver.json
    Ends the move at the old installation by the proof. The tenant cannot change there again.`

const print = (line: string) => console.log(line)

try {
  await run(readArguments())
} catch (error) {
  // The cause and the stack of an error of the database or of a file help. A Misconfigured is for operators.
  console.error(error instanceof Misconfigured ? error.message : error)
  process.exitCode = 1
}

type Arguments =
  | { command: 'receive'; folder: string }
  | { command: 'export'; tenant: string; file: string; to: string }
  | { command: 'import'; file: string; folder: string }
  | { command: 'end'; proof: string; to: string }

async function run(words: Arguments): Promise<void> {
  if (words.command === 'receive') {
    const { makeReceiver } = await import('./receive.ts')
    return makeReceiver(words.folder, print)
  }
  const { token, ...installation } = await openInstallation()
  try {
    await runAt(installation, words)
  } finally {
    await token?.close()
  }
}

type Installation = Omit<Awaited<ReturnType<typeof openInstallation>>, 'token'>

async function runAt(installation: Installation, words: Exclude<Arguments, { command: 'receive' }>): Promise<void> {
  const { readFileOfMove, readReceiverFile } = await import('./receive.ts')
  if (words.command === 'export') {
    const { exportToFile } = await import('./export.ts')
    const { tenant, file, to } = words
    return exportToFile({ ...installation, tenant, file, receiver: readReceiverFile(to, 'public') })
  }
  if (words.command === 'end') {
    const { endMove } = await import('./end.ts')
    const proof = readFileOfMove(words.proof)
    return endMove({ ...installation, proof, receiver: readReceiverFile(words.to, 'public') })
  }
  const { importFromFile } = await import('./import.ts')
  return importFromFile({ ...installation, file: words.file, folder: words.folder })
}

async function openInstallation() {
  const config = exitIfMisconfigured(() => readConfig(process.env))
  const { keys, token } = await openKeyEncryptionKeys(process.env, config)
  useCompileCache(config.dataDir)
  const { createKeyring } = await import('../keys/keyring.ts')
  const { createSecrets } = await import('../../../shared/secrets/secrets.ts')
  return {
    databaseUrl: config.databaseUrl,
    secrets: createSecrets(config.serviceSecrets, config),
    keyring: createKeyring(keys, config.sealFormat),
    token,
    clock: systemClock,
    print,
  }
}

function readArguments(): Arguments {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { to: { type: 'string' }, folder: { type: 'string' } },
    })
    const [command, first, second, ...more] = positionals
    const { to, folder } = values
    const isOne = first !== undefined && second === undefined
    if (command === 'receive' && isOne && !to && !folder) return { command, folder: first }
    if (command === 'import' && isOne && folder && !to) return { command, file: first, folder }
    if (command === 'end' && isOne && to && !folder) return { command, proof: first, to }
    const isTwo = first !== undefined && second !== undefined && more.length === 0
    if (command === 'export' && isTwo && to && !folder) return { command, tenant: first, file: second, to }
  } catch {
    // An unknown option.
  }
  throw new Misconfigured(usage)
}

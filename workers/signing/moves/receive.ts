import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newReceiver, type ReceiverKeys, readReceiver, receiverFingerprint } from '../../../db/moves/receiver.ts'
import { Misconfigured } from '../../../shared/process/dependency.ts'
import { readTextFile } from '../../../shared/read-text-file.ts'

const publicKeysFile = 'receiver.json'
/** Only its owner can read it. */
export const privateKeysFile = 'receiver-private.json'

/** Makes the keys of a receiver in a folder. Throws Misconfigured if the folder has keys. */
export async function makeReceiver(folder: string, print: (line: string) => void): Promise<void> {
  const [publicFile, privateFile] = [join(folder, publicKeysFile), join(folder, privateKeysFile)]
  if (existsSync(publicFile) || existsSync(privateFile))
    throw new Misconfigured(`${folder} has the keys of another move. Name a new folder.`)
  const keys = await newReceiver()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(privateFile, JSON.stringify(keys.private), { mode: 0o600, flag: 'wx' })
  await writeFile(publicFile, `${JSON.stringify(keys.public, null, 2)}\n`, { flag: 'wx' })
  print(`Carry ${publicFile} to the installation that has the tenant. ${privateFile} stays here.`)
  print(`The receiver is ${receiverFingerprint(keys.public)}. The export prints the same.`)
}

/** Reads the keys of a file. Throws Misconfigured if there is no such file, and as `readReceiver`. */
export function readReceiverFile(file: string, part: 'public' | 'private'): ReceiverKeys {
  return readReceiver(readFileOfMove(file), part)
}

/** Reads a file of a move. Throws Misconfigured if there is none. */
export function readFileOfMove(file: string): string {
  if (existsSync(file)) return readTextFile(file)
  throw new Misconfigured(`There is no file at ${file}. docs/grow-and-move.md says which command makes it.`)
}

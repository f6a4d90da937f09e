import { createPublicKey } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { terminalText } from '../bulk/terminal-text.ts'
import { UsageError } from '../command.ts'
import { missingApprovals, readApproval } from './approvals.ts'
import { lockName, summaryName, transcriptName } from './ceremony-folder.ts'
import type { CeremonyKey, CeremonyKeys } from './ceremony-keys.ts'
import type { NamedDigest, Opened, TranscriptLine } from './ceremony-step.ts'
import { makeItems } from './make-items.ts'
import { parseCeremony, type ReadCeremony, readLimited, sha256Hex } from './read-ceremony.ts'
import { ceremonyName, faultOfRehearsal } from './run-ceremony.ts'
import { findStep, type StepRecorder } from './step-recorder.ts'
import { summaryOf } from './summary.ts'
import { readTranscript } from './transcript.ts'

export interface Verdict {
  /** One sentence for each fault, with the name of the file. */
  faults: string[]
  /** SHA-256 of the transcript, in hex. */
  transcript: string
  opened?: Opened
}

/** Verifies the folder of a ceremony with the public keys in it. Needs no token and no network. */
export async function verifyCeremony(folder: string): Promise<Verdict> {
  if (!existsSync(join(folder, transcriptName))) throw new UsageError(`${folder} has no ${transcriptName}`)
  const bytes = readLimited(join(folder, transcriptName))
  const read = readTranscript(bytes)
  const [opened] = read.lines
  const verdict = (faults: string[]): Verdict => ({
    ...{ faults, transcript: sha256Hex(bytes) },
    ...(opened?.step === 'opened' && { opened }),
  })
  if (read.fault !== undefined) return verdict([`${transcriptName}: ${read.fault}`])
  if (read.bytes.length < bytes.length || !read.isSigned || opened?.step !== 'opened')
    return verdict([
      `${transcriptName}: Its last line is not its signature. It was changed, or the ceremony was interrupted.`,
    ])
  const changed = faultsOfFiles(folder, read.lines, opened, bytes)
  if (changed.length > 0) return verdict(changed)
  return verdict(await faultsOfContent(folder, read.lines, opened))
}

/** Each file has the digest of the transcript, and there are no other files. */
function faultsOfFiles(folder: string, lines: readonly TranscriptLine[], opened: Opened, transcript: Buffer): string[] {
  const outputs = lines.filter((line) => line.step === 'file written')
  const { ceremony, inputs, approvals, rehearsal } = opened
  const named: NamedDigest[] = [
    ...[ceremony, ...inputs, ...approvals, ...(rehearsal ? [rehearsal] : []), ...outputs],
    { file: summaryName, sha256: sha256Hex(Buffer.from(summaryOf(lines, transcript))) },
  ]
  const names = new Set([transcriptName, lockName, ...named.map(({ file }) => file)])
  return [
    ...named.flatMap(({ file, sha256: digest }) => {
      if (!existsSync(join(folder, file))) return [`${file} is missing.`]
      return sha256Hex(readLimited(join(folder, file))) === digest
        ? []
        : [`${file} was changed: it has another SHA-256.`]
    }),
    ...readdirSync(folder).flatMap((file) =>
      names.has(file) ? [] : [`${terminalText(file)} is not a file of the ceremony.`],
    ),
  ]
}

/** The approvals are enough, the rehearsal is that of the file, and each output is what the file asks for. */
async function faultsOfContent(folder: string, lines: readonly TranscriptLine[], opened: Opened): Promise<string[]> {
  const { mode, approvals, rehearsal, inputs } = opened
  const read = (file: string) => readLimited(join(folder, file))
  const bytes = read(ceremonyName)
  if (lines[0]?.previous !== sha256Hex(bytes))
    return [`${transcriptName}: Line 1 does not have the hash of ${ceremonyName}.`]
  const files = inputs.map(({ file }): [string, Buffer] => [file.replace('input.', ''), read(file)])
  const ceremony: ReadCeremony = parseCeremony(ceremonyName, bytes, new Map(files))
  const readApprovals = approvals.map(({ file, name, keyId }) => {
    const approval = readApproval(ceremony, read(file))
    const isNamed = 'fault' in approval || (approval.name === name && approval.keyId === keyId)
    return { file, approval: isNamed ? approval : { fault: `It is not the approval of ${name}.` } }
  })
  const valid = readApprovals.flatMap(({ approval }) => ('fault' in approval ? [] : [approval]))
  const missing = mode === 'ceremony' ? missingApprovals(ceremony, valid) : undefined
  const ofRehearsal =
    mode === 'ceremony' ? faultOfRehearsal(ceremony.digest, rehearsal && read(rehearsal.file)) : undefined
  return [
    ...readApprovals.flatMap(({ file, approval }) => ('fault' in approval ? [`${file}: ${approval.fault}`] : [])),
    ...(missing === undefined ? [] : [missing]),
    ...(ofRehearsal === undefined ? [] : [`The transcript of the rehearsal: ${ofRehearsal}`]),
    ...(await faultsOfItems(ceremony, lines, opened, read)),
  ]
}

class MissingStep extends Error {}

/** Makes the items again from the recorded plans and outputs, so that all checks of the ceremony run, and nothing is signed. */
async function faultsOfItems(
  ceremony: ReadCeremony,
  lines: readonly TranscriptLine[],
  { mode }: Opened,
  read: (file: string) => Buffer,
): Promise<string[]> {
  const outputs = new Map(lines.flatMap((line) => (line.step === 'file written' ? [[line.file, line.id]] : [])))
  const refuse = (): never => {
    throw new MissingStep()
  }
  const recorder: StepRecorder = {
    find: (step, id) => findStep(lines, step, id),
    ...{ append: refuse, write: refuse },
    output: (file) => (outputs.delete(file) ? read(file) : undefined),
  }
  const clock = { now: () => new Date(lines[0]?.at ?? '') }
  const session = { ceremony, mode, recorder, clock, keys: recordedKeys(lines), authorities: new Map() }
  try {
    const fault = await makeItems({ ...session, hasStandIns: mode === 'rehearsal' })
    if (fault) return [`${fault.file}: ${fault.message}`]
  } catch (error) {
    if (error instanceof MissingStep) return [`${transcriptName}: A step of ${ceremonyName} is missing.`]
    throw error
  }
  return [...outputs.keys()].map((file) => `${file} is not asked for by ${ceremonyName}.`)
}

/** The public keys of a transcript. They sign nothing. */
function recordedKeys(lines: readonly TranscriptLine[]): CeremonyKeys {
  const labels = new Map(lines.flatMap((line) => (line.step === 'key planned' ? [[line.label, line.id]] : [])))
  const keyOf = ({ publicKey: spki, handle }: { publicKey: string; handle: string }): CeremonyKey => ({
    publicKey: createPublicKey({ key: Buffer.from(spki, 'base64url'), format: 'der', type: 'spki' }),
    handle,
    sign: refuseToSign,
  })
  const keysFound = lines.flatMap((line) => (line.step === 'key found' ? [keyOf(line)] : []))
  return {
    place: 'the transcript',
    generate: refuseToSign,
    async find(label) {
      const created = findStep(lines, 'key created', labels.get(label) ?? '')
      return created && keyOf(created)
    },
    findByPublicKey: async (publicKey) => keysFound.find((key) => key.publicKey.equals(publicKey)),
    destroy: async () => undefined,
    close: async () => undefined,
  }
}

async function refuseToSign(): Promise<never> {
  throw new MissingStep()
}

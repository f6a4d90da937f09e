import type { Clock } from '../../../../shared/clock.ts'
import { productVersion } from '../../../../shared/process/product-version.ts'
import { UsageError } from '../command.ts'
import { refuseFaults } from '../files/faults.ts'
import { type Approval, missingApprovals } from './approvals.ts'
import { type CeremonyFolder, openCeremonyFolder, summaryName, transcriptName } from './ceremony-folder.ts'
import type { CeremonyKey, CeremonyKeys } from './ceremony-keys.ts'
import { type CeremonySession, labelOf } from './ceremony-session.ts'
import type { Mode, Opened } from './ceremony-step.ts'
import { findMissingIssuer, makeItems } from './make-items.ts'
import { generateKey, spkiOf } from './make-key.ts'
import { type ReadCeremony, sha256Hex } from './read-ceremony.ts'
import { summaryOf } from './summary.ts'
import { readTranscript } from './transcript.ts'

/** The names of the copies that make the folder complete. The id of an item, after which outputs are named, has no full stop. */
export const ceremonyName = 'ceremony.jsonc'
const rehearsalName = 'rehearsal.jsonl'
const approvalName = (name: string) => `approval.${name}.minisig`
const inputName = (file: string) => `input.${file}`

export interface CeremonyToRun {
  ceremony: ReadCeremony
  mode: Mode
  keys: CeremonyKeys
  clock: Clock
  operator: string
  folder: string
  isContinued: boolean
  approvals: readonly Approval[]
  /** The transcript of the rehearsal. */
  rehearsal?: Buffer
}

/** Runs a ceremony or its rehearsal. Returns the text of its summary. */
export async function runCeremony(run: CeremonyToRun): Promise<string> {
  const { ceremony, mode, keys, clock, operator, folder: path } = run
  requireAllowed(run)
  const folder = openCeremonyFolder({ folder: path, operator, clock, digest: ceremony.digest }, run.isContinued)
  try {
    const session: CeremonySession = {
      ...{ ceremony, mode, keys, recorder: folder, clock },
      ...{ hasStandIns: mode === 'rehearsal', authorities: new Map() },
    }
    if (!folder.isSigned) {
      const key = await open(run, folder, session)
      const fault = await makeItems(session)
      refuseFaults(fault ? [fault] : [])
      await folder.end((bytes) => key.sign(bytes))
    }
    await destroyKeys(run)
    const transcript = folder.output(transcriptName) ?? Buffer.alloc(0)
    const summary = summaryOf(readTranscript(transcript).lines, transcript)
    folder.store(summaryName, summary)
    return summary
  } finally {
    folder.close()
  }
}

/** A ceremony needs its approvals and a complete rehearsal of the same file. */
function requireAllowed({ ceremony, mode, approvals, rehearsal, clock }: CeremonyToRun): void {
  if (mode === 'rehearsal') return
  const missing = missingApprovals(ceremony, approvals)
  if (missing !== undefined) throw new UsageError(missing)
  const fault = faultOfRehearsal(ceremony.digest, rehearsal)
  if (fault !== undefined) throw new UsageError(`The transcript of the rehearsal: ${fault}`)
  const rehearsed = readTranscript(rehearsal ?? Buffer.alloc(0)).lines.at(-1)?.at ?? ''
  if (clock.now() < new Date(rehearsed))
    throw new UsageError(`The clock of this machine is before the end of the rehearsal, ${rehearsed}. Set the clock.`)
}

/** Returns why a transcript is not that of a complete rehearsal of a ceremony file. */
export function faultOfRehearsal(digest: string, bytes: Buffer | undefined): string | undefined {
  if (!bytes) return 'Is missing. Run "trustwright ceremony rehearse", and give the transcript with --rehearsal.'
  const transcript = readTranscript(bytes)
  const [first] = transcript.lines
  if (transcript.fault !== undefined) return transcript.fault
  if (!transcript.isSigned || transcript.bytes.length < bytes.length) return 'Is not complete. Rehearse again.'
  if (first?.step !== 'opened' || first.mode !== 'rehearsal') return 'Is not that of a rehearsal.'
  return first.ceremony.sha256 === digest ? undefined : 'Is that of another ceremony file. Rehearse again.'
}

/** The id of an item has no full stop. */
const transcriptKeyId = 'transcript.key'

/** Records what the ceremony is based on, and copies it. Returns the key of the transcript, also after an interruption. */
async function open(run: CeremonyToRun, folder: CeremonyFolder, session: CeremonySession): Promise<CeremonyKey> {
  const { keys, mode } = run
  const label = labelOf(run, transcriptKeyId)
  if (folder.opened) {
    const existing = await keys.find(label)
    if (folder.opened.mode !== mode)
      throw new UsageError(`${run.folder} has a ${folder.opened.mode}. Give a new folder.`)
    if (existing && spkiOf(existing) === folder.opened.transcriptKey) return existing
    throw new UsageError(`${keys.place} has no longer the key of the transcript. Start again in a new folder.`)
  }
  // The keys of a rehearsal that was interrupted are of no use.
  if (mode === 'rehearsal') await destroyKeys(run)
  else if (!run.isContinued) await requireOnlyIssuers(run, session)
  folder.begin()
  copyInputs(run, folder)
  const key = (await keys.find(label)) ?? (await generateKey(keys, label, run.isContinued))
  folder.append(openedOf(run, key))
  return key
}

/**
 * Requires the keys of existing authorities, and no key of this ceremony: another run of it, in another folder, would make a second root.
 */
async function requireOnlyIssuers(run: CeremonyToRun, session: CeremonySession): Promise<void> {
  const { ceremony, keys } = run
  const fault = await findMissingIssuer(session)
  refuseFaults(fault ? [fault] : [])
  for (const id of [transcriptKeyId, ...ceremony.content.make.map((item) => item.id)]) {
    const label = labelOf(run, id)
    if (!(await keys.find(label))) continue
    throw new UsageError(
      `${keys.place} has the key "${label}" of an earlier run of this ceremony. Continue that run in its folder, or destroy its keys.`,
    )
  }
}

function openedOf({ ceremony, mode, keys, approvals, rehearsal }: CeremonyToRun, key: CeremonyKey): Opened {
  return {
    ...{ step: 'opened', mode, name: ceremony.content.name, product: productVersion },
    ceremony: { file: ceremonyName, sha256: ceremony.digest },
    ...{ transcriptKey: spkiOf(key), keys: keys.place },
    inputs: [...ceremony.inputs].map(([file, bytes]) => ({ file: inputName(file), sha256: sha256Hex(bytes) })),
    approvals: approvals.map(({ name, keyId, bytes }) => ({
      name,
      keyId,
      file: approvalName(name),
      sha256: sha256Hex(bytes),
    })),
    ...(rehearsal && { rehearsal: { file: rehearsalName, sha256: sha256Hex(rehearsal) } }),
  }
}

function copyInputs({ ceremony, approvals, rehearsal }: CeremonyToRun, folder: CeremonyFolder): void {
  folder.store(ceremonyName, ceremony.bytes)
  for (const { name, bytes } of approvals) folder.store(approvalName(name), bytes)
  for (const [file, bytes] of ceremony.inputs) folder.store(inputName(file), bytes)
  if (rehearsal) folder.store(rehearsalName, rehearsal)
}

/** The key of the transcript signs once. All keys of a rehearsal end with it. */
async function destroyKeys(run: CeremonyToRun): Promise<void> {
  const { ceremony, mode, keys } = run
  await keys.destroy(labelOf(run, transcriptKeyId))
  if (mode !== 'rehearsal') return
  for (const { id } of ceremony.content.make)
    for (const each of [id, `${id}.issuer`]) await keys.destroy(labelOf(run, each))
}

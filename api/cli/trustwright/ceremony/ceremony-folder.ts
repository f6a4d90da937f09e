import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../../shared/clock.ts'
import { UsageError } from '../command.ts'
import type { CeremonyStep, Opened, TranscriptLine } from './ceremony-step.ts'
import { sha256Hex } from './read-ceremony.ts'
import { findStep, type StepRecorder } from './step-recorder.ts'
import { bytesToSign, type ReadTranscript, readTranscript, textOfLine } from './transcript.ts'

export const transcriptName = 'transcript.jsonl'
export const summaryName = 'summary.txt'
export const lockName = 'lock'

export interface CeremonyFolder extends StepRecorder {
  /** The first step. Absent in a new folder. */
  opened: Opened | undefined
  /** Whether only the summary is missing. */
  isSigned: boolean
  /** Makes the transcript. From now on, the ceremony can be continued. */
  begin(): void
  /** Adds the last line, which has the signature of the transcript. */
  end(sign: (bytes: Buffer) => Promise<Buffer>): Promise<void>
  /** Writes a file that the transcript names by its digest, or that follows from it. */
  store(file: string, content: Buffer | string): void
  close(): void
}

interface Place {
  folder: string
  operator: string
  clock: Clock
  /** The hash of the ceremony file, which the first line has. */
  digest: string
}

/**
 * Opens the folder of a ceremony for this process alone. Throws a `UsageError` that says what exists if it is not empty, unless an interrupted
 * ceremony of the same file is continued.
 */
export function openCeremonyFolder(place: Place, isContinued: boolean): CeremonyFolder {
  const { folder } = place
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(folder)
  try {
    const path = join(folder, transcriptName)
    const before = existsSync(path) ? readFileSync(path) : undefined
    if (!before && isContinued) throw new UsageError(`${folder} has no interrupted ceremony. Leave --continue away.`)
    if (!before) {
      const files = readdirSync(folder).filter((name) => name !== lockName)
      if (files.length > 0) throw new UsageError(`${folder} has other files: ${files.join(', ')}. Give a new folder.`)
    }
    const past = before && readTranscript(before)
    if (past) requireContinuable(place, past, isContinued)
    return folderOf(place, { path, past, droppedBytes: (before?.length ?? 0) - (past?.bytes.length ?? 0) }, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

function requireContinuable({ folder, digest }: Place, past: ReadTranscript, isContinued: boolean): void {
  const path = join(folder, transcriptName)
  if (past.fault !== undefined) throw new UsageError(`${path}: ${past.fault}`)
  const isComplete = past.isSigned && existsSync(join(folder, summaryName))
  if (isComplete) throw new UsageError(`${folder} has a complete ceremony. Give a new folder.`)
  const [first] = past.lines
  if (first && first.previous !== digest)
    throw new UsageError(`${folder} has an interrupted ceremony of another file. Give a new folder.`)
  if (isContinued) return
  const made = past.lines.flatMap(textOfMade)
  throw new UsageError(
    [
      `${folder} has an interrupted ceremony. It has made:`,
      ...(made.length > 0 ? made : ['  nothing']),
      'Continue it with --continue.',
    ].join('\n'),
  )
}

function textOfMade(line: TranscriptLine): string[] {
  if (line.step === 'key created') return [`  the key ${line.handle}`]
  return line.step === 'file written' ? [`  the file ${line.file}`] : []
}

function folderOf(
  { folder, operator, clock, digest }: Place,
  { path, past, droppedBytes }: { path: string; past: ReadTranscript | undefined; droppedBytes: number },
  unlock: () => void,
): CeremonyFolder {
  const steps: CeremonyStep[] = [...(past?.lines ?? [])]
  let last = past?.lines.length ? past.last : digest
  let transcript = past && openSync(path, 'r+')
  let position = past?.bytes.length ?? 0
  if (transcript !== undefined) ftruncateSync(transcript, position)

  const lineOf = (step: CeremonyStep): TranscriptLine => ({
    ...{ line: steps.length + 1, previous: last, at: clock.now().toISOString(), operator },
    ...step,
  })

  function add(line: TranscriptLine): void {
    if (transcript === undefined) throw new Error('a ceremony has not begun')
    const bytes = Buffer.from(textOfLine(line))
    position += writeSync(transcript, Buffer.concat([bytes, Buffer.from('\n')]), 0, bytes.length + 1, position)
    fsyncSync(transcript)
    steps.push(line)
    last = sha256Hex(bytes)
  }

  const append = (step: CeremonyStep) => add(lineOf(step))
  const store = (file: string, content: Buffer | string) => storeFile(folder, file, content)
  const opened = steps.find((step): step is Opened & TranscriptLine => step.step === 'opened')
  const isSigned = past?.isSigned ?? false
  if (opened && !isSigned) append({ step: 'continued', droppedBytes })
  return {
    ...{ opened, isSigned, append, store },
    find: (step, id) => findStep(steps, step, id),
    output: (file) => readOutput(folder, file, steps),
    write(id, file, content) {
      store(file, content)
      append({ step: 'file written', id, file, sha256: sha256Hex(content) })
    },
    begin() {
      transcript ??= openSync(path, 'wx', 0o600)
    },
    async end(sign) {
      const line = lineOf({ step: 'signed', signature: '' })
      add({ ...line, step: 'signed', signature: (await sign(bytesToSign(line))).toString('base64url') })
    },
    close() {
      if (transcript !== undefined) closeSync(transcript)
      unlock()
    },
  }
}

/** Throws a `UsageError` if the output is not as it was written. */
function readOutput(folder: string, file: string, steps: readonly CeremonyStep[]): Buffer | undefined {
  const written = steps.find((step) => step.step === 'file written' && step.file === file)
  const content = existsSync(join(folder, file)) ? readFileSync(join(folder, file)) : undefined
  if (written?.step === 'file written' && (!content || sha256Hex(content) !== written.sha256))
    throw new UsageError(`${join(folder, file)} is not as it was written. Restore it, or start again in a new folder.`)
  return content
}

/** A file has its name after its content is on the disk. */
function storeFile(folder: string, file: string, content: Buffer | string): void {
  const path = join(folder, file)
  const fresh = openSync(`${path}.part`, 'w', 0o600)
  writeFileSync(fresh, content)
  fsyncSync(fresh)
  closeSync(fresh)
  renameSync(`${path}.part`, path)
  const holder = openSync(folder, 'r')
  fsyncSync(holder)
  closeSync(holder)
}

/** The lock has the process id. The lock of a process that was killed is replaced. */
function lockFolder(folder: string): () => void {
  const path = join(folder, lockName)
  const take = () => writeFileSync(path, String(process.pid), { flag: 'wx' })
  try {
    take()
  } catch {
    const owner = Number(readFileSync(path, 'utf8'))
    if (isRunning(owner)) throw new UsageError(`Another process works in ${folder}: ${owner}. Wait for its end.`)
    rmSync(path)
    take()
  }
  return () => rmSync(path, { force: true })
}

function isRunning(processId: number): boolean {
  try {
    return processId > 0 && process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

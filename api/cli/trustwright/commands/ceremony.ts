import { systemClock } from '../../../../shared/clock.ts'
import { type Command, type CommandCall, textOf, UsageError } from '../command.ts'
import { withServiceFolder } from '../service-folder.ts'

const machine = { type: 'string', value: 'FILE', help: 'The file of the machine: module, token and PIN file' } as const
const operator = { type: 'string', value: 'NAME', help: 'Who runs it. The name is in the transcript' } as const
const out = { type: 'string', value: 'FOLDER', help: 'A new folder for the outputs' } as const

const lintCeremonyFile: Command = {
  name: 'ceremony lint',
  usage: 'FILE',
  summary: 'Check a ceremony file, and name each wrong field',
  details: [
    'Makes everything with keys in memory, which are lost. Prints the SHA-256 that approvals and rehearsals are of.',
  ],
  options: {},
  examples: ['trustwright ceremony lint ceremony.jsonc'],
  run: (call) =>
    withServiceFolder(async () => {
      const { lintCeremony } = await import('../ceremony/lint.ts')
      const { digest, content } = await lintCeremony(fileOf(call), systemClock)
      const made = content.make.map(({ id, kind }) => ({ id, kind }))
      const lines = made.map(({ id, kind }) => `  ${id}: ${kind}`)
      call.print({ sha256: digest, make: made }, [`SHA-256: ${digest}`, 'It makes:', ...lines].join('\n'))
      return 0
    }),
}

const rehearse: Command = {
  name: 'ceremony rehearse',
  usage: 'FILE',
  summary: 'Rehearse a ceremony with keys that are destroyed at its end',
  details: [
    'Without --machine the keys are in memory. The names of the certificates begin with REHEARSAL, and they end after a day.',
  ],
  options: { out, operator, machine },
  examples: ['trustwright ceremony rehearse ceremony.jsonc --operator "Ada Byron" --out rehearsal'],
  run: (call) =>
    withServiceFolder(async () => {
      const { runMode } = await import('../ceremony/run-mode.ts')
      await runMode(call, 'rehearsal', fileOf(call))
      return 0
    }),
}

const runCommand: Command = {
  name: 'ceremony run',
  usage: 'FILE',
  summary: 'Run a ceremony with keys in a token',
  details: [
    'Needs the approvals that the file requires, and the transcript of a rehearsal of the same file. An interrupted ceremony continues with',
    'the same options and --continue.',
  ],
  options: {
    ...{ out, operator, machine },
    approval: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      help: 'A signature of minisign over the file. Can be repeated',
    },
    rehearsal: { type: 'string', value: 'FILE', help: 'The transcript of the rehearsal' },
    continue: { type: 'boolean', help: 'Continue the interrupted ceremony in --out' },
  },
  examples: [
    'trustwright ceremony run ceremony.jsonc --machine machine.jsonc --operator "Ada Byron" --approval ada.minisig --approval grace.minisig --rehearsal rehearsal/transcript.jsonl --out root',
  ],
  run: (call) =>
    withServiceFolder(async () => {
      const { runMode } = await import('../ceremony/run-mode.ts')
      await runMode(call, 'ceremony', fileOf(call))
      return 0
    }),
}

const verifyCommand: Command = {
  name: 'ceremony verify',
  usage: 'FOLDER',
  summary: 'Verify the folder of a ceremony without a token, and name what was changed',
  options: {
    transcript: { type: 'string', value: 'SHA256', help: 'The SHA-256 of the transcript on the printed summary' },
  },
  examples: ['trustwright ceremony verify root', 'trustwright ceremony verify root --transcript SHA256'],
  run: (call) =>
    withServiceFolder(async () => {
      const { verifyCeremony } = await import('../ceremony/verify-ceremony.ts')
      const folder = fileOf(call)
      const { faults, transcript, opened } = await verifyCeremony(folder)
      const expected = textOf(call, 'transcript')
      if (faults.length === 0 && expected !== undefined && expected.toLowerCase() !== transcript)
        faults.push(`The transcript has the SHA-256 ${transcript}, not that of --transcript.`)
      if (faults.length > 0) throw new UsageError(faults.join('\n'))
      const approvals = opened?.approvals.map(({ name, keyId }) => `${name} (${keyId})`) ?? []
      const result = { mode: opened?.mode, transcript, ceremony: opened?.ceremony.sha256, approvals }
      call.print(
        result,
        [
          `${folder} is a complete ${opened?.mode}: nothing was changed since it was signed.`,
          `Transcript:    ${transcript}`,
          `Ceremony file: ${opened?.ceremony.sha256}`,
          ...(approvals.length > 0 ? [`Approved by:   ${approvals.join(', ')}`] : []),
          'Compare the SHA-256 of the transcript with the signed summary on paper.',
        ].join('\n'),
      )
      return 0
    }),
}

export const ceremonyCommands = [lintCeremonyFile, rehearse, runCommand, verifyCommand]

function fileOf({ positionals: [file, ...others] }: CommandCall): string {
  if (file === undefined || others.length > 0) throw new UsageError('Give one file or folder')
  return file
}

import { systemClock } from '../../../../shared/clock.ts'
import { type CommandCall, textOf, textsOf, UsageError } from '../command.ts'
import { type Approval, readApproval } from './approvals.ts'
import { type CeremonyKeys, createEphemeralKeys } from './ceremony-keys.ts'
import type { Mode } from './ceremony-step.ts'
import { lintCeremony } from './lint.ts'
import { type ReadCeremony, readLimited } from './read-ceremony.ts'
import { runCeremony } from './run-ceremony.ts'

/** Runs a ceremony or its rehearsal by the options of a command line, and prints the summary. */
export async function runMode(call: CommandCall, mode: Mode, file: string): Promise<void> {
  const [operator, folder] = [requiredText(call, 'operator'), requiredText(call, 'out')]
  if (!/^[^\p{C}]{1,100}$/u.test(operator)) throw new UsageError('--operator must have 1 to 100 characters')
  const ceremony = await lintCeremony(file, systemClock)
  const approvals = approvalsOf(call, ceremony)
  const rehearsal = textOf(call, 'rehearsal')
  const keys = await openKeys(call, mode)
  try {
    const summary = await runCeremony({
      ...{ ceremony, mode, keys, clock: systemClock, operator, folder, approvals },
      ...(rehearsal !== undefined && { rehearsal: readLimited(rehearsal) }),
      isContinued: call.values.continue === true,
    })
    call.print({ folder, mode, sha256: ceremony.digest }, summary)
  } finally {
    await keys.close()
  }
}

function requiredText(call: CommandCall, name: string): string {
  const text = textOf(call, name)
  if (text === undefined) throw new UsageError(`--${name} is required`)
  return text
}

/** Reads the signatures of `--approval`. The last one of a person counts. */
function approvalsOf(call: CommandCall, ceremony: ReadCeremony): Approval[] {
  const approvals = textsOf(call, 'approval').map((file) => {
    const approval = readApproval(ceremony, readLimited(file))
    if ('fault' in approval) throw new UsageError(`${file}: ${approval.fault}`)
    return [approval.name, approval] as const
  })
  return [...new Map(approvals).values()]
}

async function openKeys(call: CommandCall, mode: Mode): Promise<CeremonyKeys> {
  const machine = textOf(call, 'machine')
  if (machine === undefined && mode === 'rehearsal') return createEphemeralKeys()
  if (machine === undefined) throw new UsageError('--machine is required')
  const { openTokenKeys } = await import('./token-keys.ts')
  return openTokenKeys(machine)
}

import type { Clock } from '../../../../shared/clock.ts'
import { refuseFaults } from '../files/faults.ts'
import { createEphemeralKeys } from './ceremony-keys.ts'
import { makeItems } from './make-items.ts'
import { type ReadCeremony, readCeremony } from './read-ceremony.ts'
import { createMemoryRecorder } from './step-recorder.ts'

/**
 * Reads a ceremony file and makes its items with keys in memory, which are lost. Throws a `FilesError` that names each wrong field, or else the
 * first item that cannot be made.
 */
export async function lintCeremony(path: string, clock: Clock): Promise<ReadCeremony> {
  const ceremony = readCeremony(path)
  const fault = await makeItems({
    ...{ ceremony, mode: 'ceremony', keys: createEphemeralKeys(), recorder: createMemoryRecorder(), clock },
    ...{ hasStandIns: true, authorities: new Map() },
  })
  refuseFaults(fault ? [fault] : [])
  return ceremony
}

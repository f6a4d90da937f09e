import type { CeremonyStep } from './ceremony-step.ts'

/** Records the steps of a ceremony and stores its outputs. */
export interface StepRecorder {
  /** Returns the step of an item, also one before an interruption. */
  find<Kind extends CeremonyStep['step']>(
    step: Kind,
    id: string,
  ): (CeremonyStep & { step: Kind; id: string }) | undefined
  /** Returns after the step is on the disk. */
  append(step: CeremonyStep): void
  /** Returns the content of an output that was written, also one before an interruption. */
  output(file: string): Buffer | undefined
  /** Stores an output and records it. */
  write(id: string, file: string, content: Buffer): void
}

/** Records in memory, to try a ceremony. */
export function createMemoryRecorder(): StepRecorder {
  const steps: CeremonyStep[] = []
  const outputs = new Map<string, Buffer>()
  return {
    find: (step, id) => findStep(steps, step, id),
    append: (step) => void steps.push(step),
    output: (file) => outputs.get(file),
    write: (_id, file, content) => void outputs.set(file, content),
  }
}

export function findStep<Kind extends CeremonyStep['step']>(
  steps: readonly CeremonyStep[],
  kind: Kind,
  id: string,
): (CeremonyStep & { step: Kind; id: string }) | undefined {
  return steps.find(
    (each): each is CeremonyStep & { step: Kind; id: string } => each.step === kind && 'id' in each && each.id === id,
  )
}

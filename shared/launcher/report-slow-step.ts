import type { Supervisor } from './supervisor.ts'

const firstAfterMs = 3_000
const thenEveryMs = 10_000

/**
 * Waits for `work`. Prints the current step after 3 s, and then every 10 s. Prints nothing while `step` returns undefined.
 */
export async function reportIfSlow<Result>(step: () => string | undefined, work: Promise<Result>): Promise<Result> {
  const startedAt = Date.now()
  const print = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    const current = step()
    if (current) console.log(`Please wait: ${current} (${seconds} s so far).`)
    timer = setTimeout(print, thenEveryMs)
  }
  let timer = setTimeout(print, firstAfterMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for a step of the start. Prints the step while it takes long, and no more once the start is being stopped. */
export function duringStep<Result>(
  supervisor: Pick<Supervisor, 'isStopping'>,
  step: () => string,
  work: Promise<Result>,
): Promise<Result> {
  return reportIfSlow(() => (supervisor.isStopping() ? undefined : step()), work)
}

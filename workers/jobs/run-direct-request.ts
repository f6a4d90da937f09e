import { findProblem } from '../../shared/errors/errors.ts'
import { isJobName, type JobName } from '../../shared/jobs/registry.ts'
import type { ServeOptions } from '../serve.ts'
import type { Attempt } from './handlers.ts'
import { type JobOutcome, jobDuration } from './metrics.ts'
import { runHandler } from './run-handler.ts'

/** A direct request is tried once. A job takes over if it fails. */
const firstAttempt: Attempt = { number: 1, isLast: false, isRepeated: false, starts: 1, interruptedStarts: 0 }

export type DirectRunOptions = Pick<ServeOptions, 'queue' | 'handlers' | 'log'>

interface DirectRun {
  id: string
  name: string
  /** Returns the payload, decrypted. */
  open(name: JobName): never
  /** Sends what the handler returned to the caller. */
  respond(name: JobName, returned: unknown): Promise<void>
}

/** Runs the handler of a direct request and responds. Throws if a job must take over. */
export async function runDirectRequest(
  options: DirectRunOptions,
  { id, name, open, respond }: DirectRun,
): Promise<void> {
  const { queue, handlers, log } = options
  const startedAt = performance.now()
  const observeDuration = (outcome: JobOutcome) => {
    // A name that only another version knows is not a label.
    if (isJobName(name)) jobDuration.observe({ queue, job: name, outcome }, (performance.now() - startedAt) / 1000)
  }
  try {
    const handler = handlers[name]
    if (!handler || !isJobName(name)) throw new Error(`no handler for ${name}`)
    await respond(name, await runHandler(handler, name, open(name), firstAttempt))
    observeDuration('done')
  } catch (err) {
    observeDuration('postponed')
    const problem = findProblem(err)
    // The job gives the same answer to a request that the client must change.
    if (problem && problem.status < 500)
      log.debug({ queue, job: name, jobId: id, problem: problem.code }, 'direct request refused')
    else log.info({ err, queue, job: name, jobId: id }, 'direct request queued as a job')
    throw err
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { collectPreAuthorized, LateCredential } from '../../../../shared/wallet/collect.ts'
import { type Data, requireSuccess, StepError } from '../../../../shared/wallet/exchange.ts'
import { newKey } from '../../../../shared/wallet/keys.ts'
import { describeOffer } from '../../../../shared/wallet/offer.ts'
import type { Measurements } from './measurements.ts'
import { createOpenRequests, type OpenRequests } from './open-requests.ts'
import { createTimedOffer, createTimedSend, type TimedSend } from './requests.ts'
import type { LoadTarget } from './target.ts'

export interface LoadPlan {
  target: LoadTarget
  configurationId: string
  wallets: number
  /** The test ends when this many credentials are collected. */
  credentials: number
  /** The wallets begin one after the other within this time. */
  rampMs: number
  measurements: Measurements
  /** Ends the test. Open requests have 10 s more. */
  stop: AbortSignal
}

const graceMs = 10_000
const firstPauseMs = 1_000
const maxPauseMs = 10_000

/** Runs the wallets until the end of the test. Each collects one credential after the other. */
export async function runWallets(plan: LoadPlan): Promise<void> {
  const { wallets, rampMs, stop } = plan
  const open = createOpenRequests()
  const measurements = untilCut(plan.measurements, open)
  const rest = countRest(plan)
  const runs = Array.from({ length: wallets }, async (_, position) => {
    await pause((rampMs * position) / wallets, stop)
    await runWallet({ ...plan, measurements, open }, rest)
  })
  const grace = new Promise<void>((resolve) => {
    stop.addEventListener('abort', () => setTimeout(resolve, graceMs).unref(), { once: true })
  })
  try {
    await Promise.race([Promise.all(runs), grace])
  } finally {
    open.cut()
  }
}

/** Requests that the end of the test cuts off are not measured. */
function untilCut(measurements: Measurements, open: OpenRequests): Measurements {
  return {
    ...measurements,
    succeed: (step, ms) => void (open.isCut() || measurements.succeed(step, ms)),
    fail: (error) => void (open.isCut() || measurements.fail(error)),
    collect: (ms) => void (open.isCut() || measurements.collect(ms)),
  }
}

interface RestOfCredentials {
  /** Returns false if no more credentials are to be collected. */
  begin(): boolean
  end(): void
}

function countRest({ credentials, measurements, stop }: LoadPlan): RestOfCredentials {
  let open = 0
  return {
    begin() {
      if (stop.aborted || measurements.credentials() + open >= credentials) return false
      open++
      return true
    },
    end: () => void open--,
  }
}

/** Runs one wallet. It pauses after an error, longer after each further one. */
async function runWallet(plan: LoadPlan & { open: OpenRequests }, rest: RestOfCredentials): Promise<void> {
  const { target, measurements, stop, open } = plan
  const key = await newKey()
  const timed = createTimedSend(measurements, open)
  let issuer: Issuer | undefined
  let errorsInRow = 0
  while (rest.begin()) {
    try {
      // A wallet caches the metadata of its issuer.
      issuer ??= await readIssuer(timed, target.baseUrl)
      const startedAt = performance.now()
      const offer = describeOffer(await createTimedOffer(plan), issuer.metadata, issuer.server)
      await collectPreAuthorized({ send: timed.send, key, offer }, plan.configurationId, undefined)
      measurements.collect(performance.now() - startedAt)
      errorsInRow = 0
    } catch (error) {
      if (error instanceof LateCredential) measurements.fail({ step: 'deferred', reason: 'not signed in time' })
      else if (!(error instanceof StepError)) throw error
      errorsInRow++
    } finally {
      rest.end()
    }
    if (errorsInRow > 0) await pause(Math.min(maxPauseMs, firstPauseMs * 2 ** (errorsInRow - 1)), stop)
  }
}

interface Issuer {
  metadata: Data
  server: Data
}

async function readIssuer(timed: TimedSend, baseUrl: string): Promise<Issuer> {
  const read = async (path: string) =>
    requireSuccess('metadata', await timed.send({ method: 'GET', url: `${baseUrl}/.well-known/${path}` }))
  const metadata = await read('openid-credential-issuer')
  const server = await read('oauth-authorization-server')
  timed.nameSteps({
    [String(server.token_endpoint)]: 'token',
    [String(metadata.nonce_endpoint)]: 'nonce',
    [String(metadata.credential_endpoint)]: 'credential',
    [String(metadata.deferred_credential_endpoint)]: 'deferred',
    [String(metadata.notification_endpoint)]: 'notification',
  })
  return { metadata, server }
}

/** Waits, and ends early if the test ends. */
async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined)
}

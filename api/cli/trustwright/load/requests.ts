import { dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import { type Data, dataOfText, messageOf, type Send, StepError } from '../../../../shared/wallet/exchange.ts'
import type { LoadStep, Measurements } from './measurements.ts'
import { type OpenRequests, requestTimeoutMs } from './open-requests.ts'
import type { LoadTarget } from './target.ts'

/** Sends the requests of a wallet, and measures them. */
export interface TimedSend {
  send: Send
  /** Names the steps of addresses. The step of any other address is `metadata`. */
  nameSteps(steps: Record<string, LoadStep>): void
}

/** Creates the `send` of a wallet. A request without a response throws a `StepError`. */
export function createTimedSend(measurements: Measurements, open: OpenRequests): TimedSend {
  let steps: Record<string, LoadStep> = {}
  return {
    nameSteps(named) {
      steps = named
    },
    async send(request) {
      const { method, url } = request
      const step = steps[url] ?? 'metadata'
      const { headers, text } = messageOf(request)
      const init = { method, headers, ...(request.body !== undefined && { body: text }) }
      const startedAt = performance.now()
      try {
        const answer = await open.run(async (signal) => {
          const response = await fetch(url, { ...init, signal })
          return { status: response.status, headers: response.headers, body: dataOfText(await response.text()) }
        })
        const { status, headers: answerHeaders, body } = answer
        if (status < 300) measurements.succeed(step, performance.now() - startedAt)
        // RFC 9449, section 8: the wallet repeats the request with this nonce.
        else if (!answerHeaders.has('DPoP-Nonce'))
          measurements.fail({ step, status, reason: String(body.error ?? body.code ?? 'no JSON') })
        return answer
      } catch (error) {
        const reason = causeOf(error)
        measurements.fail({ step, reason })
        throw new StepError(step, undefined, reason)
      }
    },
  }
}

interface OfferParts {
  target: LoadTarget
  configurationId: string
  measurements: Measurements
  open: OpenRequests
}

/** Creates an offer as the operator, and returns it as its wallet reads it. Throws a `StepError`. */
export async function createTimedOffer({ target, configurationId, measurements, open }: OfferParts): Promise<Data> {
  const step = 'offer'
  const claims = { given_name: 'Load', family_name: 'Test' }
  const startedAt = performance.now()
  try {
    const body = { credentials: [configurationId], claims }
    const { uri } = await open.run((signal) =>
      dataOf(target.client.POST('/v1/openid/offers/pre-authorized', { body, signal })),
    )
    measurements.succeed(step, performance.now() - startedAt)
    // The offer is short, so that the link contains it.
    return dataOfText(new URL(uri).searchParams.get('credential_offer') ?? '')
  } catch (error) {
    const { status, code } = error instanceof TrustwrightError ? error : { status: undefined, code: undefined }
    const reason = code ?? causeOf(error)
    measurements.fail({ step, ...(status !== undefined && { status }), reason })
    throw new StepError(step, status, reason)
  }
}

/** Returns the code of a connection error, such as ECONNREFUSED, or else the message. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return `no response within ${requestTimeoutMs / 1000} s`
  const { cause } = error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error.message
}

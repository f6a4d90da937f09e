import type { Clock } from '../../../../../shared/clock.ts'
import type { ApiAnswer } from '../adapter.ts'
import { textMember } from '../check-answers.ts'
import { NoAnswer } from '../transport.ts'

/** Keeps an OAuth access token until shortly before its end (RFC 6749, section 5.1). */
export interface AccessToken {
  /** Returns the authorization header. Concurrent callers share one request. */
  header(): Promise<{ authorization: string }>
  /** Requests a new token the next time. */
  forget(): void
}

const renewedBeforeMs = 60_000
const maxLifeSeconds = 86_400

export function createAccessToken(clock: Clock, request: () => Promise<ApiAnswer>): AccessToken {
  let token: { text: Promise<string>; endsAt: number } | undefined

  function renew(): Promise<string> {
    const renewed = { text: fetchToken(), endsAt: Number.POSITIVE_INFINITY }
    token = renewed
    renewed.text.catch(() => {
      if (token === renewed) token = undefined
    })
    return renewed.text

    async function fetchToken(): Promise<string> {
      const { status, json } = await request()
      if (status !== 200) throw new NoAnswer(`the token endpoint answers with status ${status}`)
      const seconds = Number(json.expires_in)
      if (!(seconds > 0)) throw new NoAnswer('the token endpoint answers without expires_in')
      renewed.endsAt = clock.now().getTime() + Math.min(seconds, maxLifeSeconds) * 1_000 - renewedBeforeMs
      return textMember(json, 'access_token')
    }
  }

  return {
    async header() {
      const isUsable = token !== undefined && clock.now().getTime() < token.endsAt
      return { authorization: `Bearer ${await (isUsable && token ? token.text : renew())}` }
    },
    forget() {
      token = undefined
    },
  }
}

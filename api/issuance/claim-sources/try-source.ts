import type { z } from 'zod'
import type { ClaimSourceRow } from '../../../db/repos/issuance/claim-sources.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import type { Deps } from '../../deps.ts'
import { ClaimSourceError } from './claim-source-error.ts'
import { requestClaims } from './request-claims.ts'
import type { ClaimSourceUser } from './schemas.ts'

/** Requests the claims of this person as an issuance would. Stores nothing. */
export async function trySource(deps: Deps, source: ClaimSourceRow, person: z.output<typeof ClaimSourceUser>) {
  const { claims, authenticationProvider } = person
  try {
    const answered = await requestClaims(deps, source, { claims: [claims], authenticationProvider })
    const names = Object.keys(answered).length
    return {
      works: true,
      message: `The source answered with ${names} ${names === 1 ? 'claim' : 'claims'}`,
      claims: answered,
    }
  } catch (error) {
    if (!(error instanceof ClaimSourceError || error instanceof OutboundError)) throw error
    return { works: false, message: error.message }
  }
}

import { createLane } from './lane.ts'
import type { Bench } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { type Alternated, alternated } from './phases.ts'

/** The start of the header of a JWT, `{"`, as base64url. */
const begins = 'eyJ'
const sources = ['given_name', 'family_name', 'birth_date', 'level']

/** SD-JWT VCs with 12 disclosable claims, in turns with compact credentials. An IACA is active. */
export async function sdJwtPhases(bench: Bench, options: BenchOptions): Promise<Alternated> {
  const { stack, target } = bench
  const claims = Array.from({ length: 12 }, (_, index) => {
    return [`claim_${index + 1}`, { mapFrom: `claims.${sources[index % sources.length]}` }]
  })
  const body = {
    ...{ vct: 'urn:example:bench', name: 'Bench', expiresIn: { years: 1 } },
    claimMappings: Object.fromEntries(claims),
  }
  await using lane = createLane(stack.origin)
  const { id } = await lane.call('POST', '/v2/credentials/sd-jwt/configurations', body, { token: target.token })
  return alternated(bench, options, { name: 'SD-JWT ', configurationId: id, begins })
}

import { z } from 'zod'
import { described, named } from '../../http/fields.ts'
import { states } from './finding.ts'
import { type RequirementName, requirements } from './requirements.ts'

// Boundary: the keys of an object are its names.
const names = Object.keys(requirements) as [RequirementName, ...RequirementName[]]

export const ConformanceView = z.object({
  specification: described(
    z.enum(['HAIP 1.0', 'HAIP 1.0 and ETSI TS 119 472-3']),
    'The specification of the requirements: the second for the profile `eudi`, and the first for all others',
    'HAIP 1.0',
  ),
  conforms: z
    .boolean()
    .describe('Whether no requirement with the level `must` is unmet. Those that are to be tested do not count'),
  requirements: z
    .array(
      named(
        'ConformanceRequirement',
        'A requirement for issuers, their authorization server or their credentials',
        z.object({
          name: described(z.enum(names), 'The name of the requirement', 'wallet_trust'),
          clause: described(z.string(), 'The section that states it', 'HAIP 1.0, section 4.4.1'),
          level: described(z.enum(['must', 'should']), '`should`: recommended', 'must'),
          text: described(z.string(), 'The requirement', requirements.wallet_trust.text),
          state: described(
            z.enum(states),
            '`notApplicable`: the tenant has nothing that it applies to. `toBeTested`: the service cannot see it',
            'notMet',
          ),
          lookedAt: described(
            z.string(),
            'What the service looked at, with its value',
            'Wallet providers: 0. Registered wallets with root certificates: none',
          ),
          change: described(
            z.string(),
            'What to change. Only if it is not met',
            requirements.wallet_trust.change,
          ).optional(),
          test: z.string().optional().describe('How to test it from outside. Only if it is to be tested'),
        }),
      ),
    )
    .describe('The requirements in the order of their sections'),
})

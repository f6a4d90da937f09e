import { z } from 'zod'
import { described, named } from '../../http/fields.ts'
import { type RequirementName, requirements } from './requirements.ts'

// Boundary: the keys of an object are its names.
const names = Object.keys(requirements) as [RequirementName, ...RequirementName[]]

export const ConformanceView = z.object({
  specification: described(z.literal('HAIP 1.0'), 'The specification of the requirements', 'HAIP 1.0'),
  conforms: z.boolean().describe('Whether the tenant meets all requirements'),
  requirements: z
    .array(
      named(
        'ConformanceRequirement',
        'A requirement for credential issuers',
        z.object({
          name: described(z.enum(names), 'The name of the requirement', 'wallet_trust'),
          clause: described(z.string(), 'The section that states it', 'HAIP 1.0, section 4.4.1'),
          text: described(z.string(), 'The requirement', requirements.wallet_trust.text),
          isMet: z.boolean().describe('Whether the tenant meets it'),
          change: described(
            z.string(),
            'What to change. Only if it is not met',
            requirements.wallet_trust.change,
          ).optional(),
        }),
      ),
    )
    .describe('The requirements in the order of their sections'),
})

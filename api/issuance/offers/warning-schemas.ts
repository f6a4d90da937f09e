import { z } from 'zod'
import { described, named } from '../../http/fields.ts'

export const OfferWarning = named(
  'OfferWarning',
  'A reason why a wallet will get an error, or a value that is probably wrong',
  z.object({
    code: described(
      z.enum(['no_signer', 'unreadable']),
      '`no_signer`: no certificate can sign the credential. `unreadable`: a wallet family of the tenant cannot read the offer. Absent if the warning is about a claim',
      'no_signer',
    ).optional(),
    claim: described(z.string(), 'The path of the claim in the credential', 'family_name').optional(),
    message: z.string().describe('What is wrong, and what to do'),
  }),
)

export const OfferWarnings = z.array(OfferWarning).optional().meta({
  description:
    'Missing signers, wallet families that cannot read the offer, required claims without a value, and values that are probably wrong, such as a country without an official code. The offer is made. A wallet gets an error if there is still no signer, or no value for a required claim. Absent if there are none',
  examples: [],
})

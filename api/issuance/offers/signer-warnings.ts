import type { z } from 'zod'
import type { SigningFault } from '../../../db/repos/issuance/configuration-signers.ts'
import type { OfferWarning } from './warning-schemas.ts'

/** Returns a warning for each configuration whose credentials no certificate can sign. The cause can end before a wallet comes. */
export function signerWarnings(faults: readonly SigningFault[]): z.infer<typeof OfferWarning>[] {
  return faults.map(({ configurationId, message }) => ({
    code: 'no_signer',
    message: `No certificate can sign credentials of the configuration ${configurationId}. ${message} Until then wallets get an error.`,
  }))
}

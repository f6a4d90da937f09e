import type { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { findSigningFaults } from '../../../db/repos/issuance/signing-faults.ts'
import type { OfferWarning } from './schemas.ts'

/** Returns a warning for each configuration whose credentials no certificate can sign. The cause can end before a wallet comes. */
export async function signerWarnings(
  db: Reader,
  configurations: readonly ConfigurationRow[],
  at: Date,
): Promise<z.infer<typeof OfferWarning>[]> {
  const faults = await findSigningFaults(db, configurations, at)
  return faults.map(({ configurationId, message }) => ({
    code: 'no_signer',
    message: `No certificate can sign credentials of the configuration ${configurationId}. ${message} Until then wallets get an error.`,
  }))
}

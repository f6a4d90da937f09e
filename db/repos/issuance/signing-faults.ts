import { missingSignerText } from '../../../shared/domain/certificates/missing-signer.ts'
import type { SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader } from '../../client.ts'
import { findSigningAuthority, hasAuthority } from '../certificates/signing-authorities.ts'
import type { ConfigurationRow } from './configurations.ts'

export interface SigningFault {
  configurationId: string
  /** What is missing, and what to do. */
  message: string
}

/** Returns the configurations whose credentials no certificate can sign at this time. Wallets cannot collect them. */
export async function findSigningFaults(
  db: Reader,
  configurations: readonly ConfigurationRow[],
  at: Date,
): Promise<SigningFault[]> {
  const faults = await Promise.all(configurations.map((each) => findSigningFault(db, each, at)))
  return faults.flat()
}

async function findSigningFault(db: Reader, configuration: ConfigurationRow, at: Date): Promise<SigningFault[]> {
  const { id: configurationId, tenantId } = configuration
  const signer = signerOf(configuration)
  if (!signer) return []
  const query = { ...signer, at, until: at }
  if (await findSigningAuthority(db, tenantId, query)) return []
  return [{ configurationId, message: missingSignerText(signer.kind, await hasAuthority(db, tenantId, query)) }]
}

/** Returns the kind of certificate that signs, or undefined if the key of the DID signs. */
function signerOf({ profile, settings }: ConfigurationRow): { kind: SignerKind; caId?: string } | undefined {
  if (profile === 'mobile') return { kind: 'document-signer' }
  if (profile !== 'sd-jwt') return undefined
  const { signerCaId: caId } = settings
  return { kind: 'sd-jwt-signer', ...(caId !== undefined && { caId }) }
}

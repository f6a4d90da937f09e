import type { KnownAuthority } from '../../../shared/domain/issuance/claims/known-faults.ts'
import type { SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader } from '../../client.ts'
import { findSigningRoot } from '../certificates/find-signing-root.ts'
import type { ConfigurationRow } from './configurations.ts'

export interface SigningFault {
  configurationId: string
  /** A sentence that says what is missing and what to do. */
  message: string
}

/** The signers of the credentials of configurations. The key of a DID signs those that are in neither member. */
export interface ConfigurationSigners {
  /** The authority whose signer signs, by the id of the configuration. */
  authorities: ReadonlyMap<string, KnownAuthority>
  /** The configurations whose credentials no certificate can sign. Wallets cannot collect them. */
  faults: readonly SigningFault[]
}

/** Returns what would sign the credentials of the configurations at this time. */
export async function findConfigurationSigners(
  db: Reader,
  configurations: readonly ConfigurationRow[],
  at: Date,
): Promise<ConfigurationSigners> {
  const authorities = new Map<string, KnownAuthority>()
  const faults: SigningFault[] = []
  const bySigner = Map.groupBy(configurations, (each) => JSON.stringify(signerOf(each)))
  await Promise.all(
    [...bySigner.values()].map(async (same) => {
      const signing = await findKnownSigning(db, same, at)
      if (!signing) return
      for (const { id } of same) {
        if ('authority' in signing) authorities.set(id, signing.authority)
        else faults.push({ configurationId: id, message: signing.missing })
      }
    }),
  )
  return { authorities, faults }
}

type Signing = { authority: KnownAuthority } | { missing: string }

/** Returns what signs the credentials of configurations with the same signer. Returns undefined if the key of a DID signs them. */
async function findKnownSigning(
  db: Reader,
  [configuration]: readonly ConfigurationRow[],
  at: Date,
): Promise<Signing | undefined> {
  const signer = configuration && signerOf(configuration)
  if (!signer) return undefined
  const { tenantId } = configuration
  const signing = await findSigningRoot(db, tenantId, { ...signer, at })
  if ('missing' in signing) return signing
  const { notAfter, subject } = signing.authority
  return { authority: { notAfter, ...subject } }
}

/** Returns the kind of certificate that signs, or undefined if the key of the DID signs. */
function signerOf({ profile, settings }: ConfigurationRow): { kind: SignerKind; caId?: string } | undefined {
  if (profile === 'mobile') return { kind: 'document-signer' }
  if (profile !== 'sd-jwt') return undefined
  const { signerCaId: caId } = settings
  return { kind: 'sd-jwt-signer', ...(caId !== undefined && { caId }) }
}

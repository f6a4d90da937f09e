import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { findSigningRoot } from '../../../db/repos/certificates/find-signing-root.ts'
import { findFirstSignerTime } from '../../../db/repos/certificates/signing-authorities.ts'
import { findCertificateKeyPlace } from '../../../db/repos/identifiers/key-inventory.ts'
import type { SignerKind } from '../../../shared/formats/x509/profiles.ts'
import { described, named, shownIdOf, Timestamp, Uuid } from '../../http/fields.ts'
import { KeyProviderName } from '../../tenancy/tenants/key-provider.ts'

const signerOf = { mobile: 'document-signer', 'sd-jwt': 'sd-jwt-signer' } as const satisfies Record<string, SignerKind>
type CertifiedProfile = keyof typeof signerOf
// Boundary: the keys of the table are the profiles.
const certifiedProfiles = Object.keys(signerOf) as CertifiedProfile[]

export const SigningRootsQuery = z.object({
  iacaId: Uuid.optional().describe(
    'An IACA that a configuration of SD-JWT VCs names (`signerCaId`). By default, the newest active IACA that can sign',
  ),
})

export const SigningRoots = z.object({
  data: z
    .array(
      z.object({
        profile: described(
          named('CertifiedProfile', 'A profile whose credentials a certificate signs', z.enum(certifiedProfiles)),
          'The profile of the credentials',
          'sd-jwt',
        ),
        iacaId: shownIdOf('IACA').optional().describe('The IACA that signs now. Absent if none can sign'),
        commonName: described(z.string(), 'The common name of the IACA', 'Transport Agency IACA').optional(),
        country: described(z.string(), 'The country of the IACA, two letters (ISO 3166-1)', 'NZ').optional(),
        signerId: shownIdOf('signer')
          .optional()
          .describe('Its newest signer. Absent if the service creates the signer for the next credential'),
        provider: KeyProviderName.optional().describe(
          'Where the private key of the IACA is. Absent if this service does not have it',
        ),
        signerProvider: KeyProviderName.optional().describe('Where the private key of the signer is'),
        since: Timestamp.optional().describe('The creation time of the first signer of this profile under the IACA'),
        until: Timestamp.optional().describe(
          'The end of the IACA, whose signers the service renews. For an external IACA, the end of its newest signer',
        ),
        missing: described(
          z.string(),
          'What is missing, and what to do. Absent if an IACA can sign',
          'There is no active IACA that is valid now. Create or activate one.',
        ).optional(),
      }),
    )
    .describe('The profiles whose credentials need a certificate'),
})

/** Returns the authority that signs the credentials of each profile now, or what is missing. */
export async function findSigningRoots(
  db: Reader,
  tenantId: string,
  { caId, at }: { caId: string | undefined; at: Date },
): Promise<z.input<typeof SigningRoots>> {
  const roots = certifiedProfiles.map(async (profile) => {
    const kind = signerOf[profile]
    const signing = await findSigningRoot(db, tenantId, { kind, caId, at })
    if ('missing' in signing) return { profile, ...signing }
    const { authority, signer } = signing
    const { id: iacaId, isManaged, notAfter, subject } = authority
    const since = await findFirstSignerTime(db, tenantId, { kind, caId: iacaId })
    const until = isManaged ? notAfter : (signer?.notAfter ?? notAfter)
    const [key, signerKey] = await Promise.all([
      findCertificateKeyPlace(db, tenantId, iacaId),
      signer && findCertificateKeyPlace(db, tenantId, signer.id),
    ])
    return {
      ...(key && { provider: key.provider }),
      ...(signerKey && { signerProvider: signerKey.provider }),
      ...{ profile, iacaId, commonName: subject.commonName, country: subject.country, until: until.toISOString() },
      ...(signer && { signerId: signer.id }),
      ...(since && { since: since.toISOString() }),
    }
  })
  return { data: await Promise.all(roots) }
}

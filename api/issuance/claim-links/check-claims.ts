import type { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { findConfigurationSigners } from '../../../db/repos/issuance/configuration-signers.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { User } from '../../../db/repos/issuance/users/users.ts'
import type { LinkSignIn } from '../../../shared/domain/issuance/claim-links.ts'
import { faultText, inCredentialOf } from '../../../shared/domain/issuance/claims/claim-faults.ts'
import type { ClaimSources, Claims } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { mapRow } from '../../../shared/domain/issuance/claims/map-row.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { parseClaimPath, readPath } from '../../../shared/formats/claim-path.ts'
import { signerWarnings } from '../offers/signer-warnings.ts'
import type { OfferWarning } from '../offers/warning-schemas.ts'

export interface ClaimsOfLink {
  configurations: readonly ConfigurationRow[]
  claims: Claims
  user: User | undefined
  signIn: LinkSignIn | undefined
}

/** Returns the warnings of a claim link for one person. Throws the problem of a link that could not be collected, as for a row of a file. */
export async function checkClaimsOfLink(
  db: Reader,
  { configurations, claims, user, signIn }: ClaimsOfLink,
  at: Date,
): Promise<z.infer<typeof OfferWarning>[]> {
  requireSignIn(signIn, claims, user)
  const { authorities, faults } = await findConfigurationSigners(db, configurations, at)
  const conditions = { now: at, authorities }
  const doubts = configurations.flatMap((configuration) => {
    const canFollow = configuration.settings.claimSourceId !== undefined
    const mapped = mapRow(configuration, sourcesOf(claims, user), { canFollow, conditions })
    if (!('faults' in mapped)) return mapped.doubts
    throw wrongField('claims', `${faultText(mapped.faults)}, ${inCredentialOf(configuration.profile)}`)
  })
  return [...signerWarnings(faults), ...doubts.map(({ claim, message }) => ({ claim, message }))]
}

/** The claims of the request come first, then those of the user. */
function sourcesOf(claims: Claims, user: User | undefined): ClaimSources {
  const { subjectId = null, providerUrl = null } = user ?? {}
  return {
    claims: [claims, ...(user ? [user.claims] : [])],
    authenticationProvider: {
      ...(subjectId !== null && { subjectId }),
      ...(providerUrl !== null && { url: providerUrl }),
    },
  }
}

function requireSignIn(signIn: LinkSignIn | undefined, claims: Claims, user: User | undefined): void {
  if (signIn && signIn.claim === undefined && user?.subjectId === null) {
    throw wrongField('userId', 'The user has no subject at an authentication provider, and cannot sign in')
  }
  if (signIn?.rowClaim === undefined) return
  const value = readPath(claims, parseClaimPath(signIn.rowClaim)?.path ?? [])
  const isText = (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
  if (!isText) throw wrongField('claims', `There is no value for ${signIn.rowClaim}, which the sign-in needs`)
}

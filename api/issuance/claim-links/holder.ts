import { type ClaimLinkRow, findClaimLink } from '../../../db/repos/issuance/claim-links/claim-links.ts'
import type { AuthorizationRow } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { findUserBySubject } from '../../../db/repos/issuance/users/users.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { claimOfVerification, type LinkSignIn, openClaimLink } from '../../../shared/domain/issuance/claim-links.ts'
import { parseClaimPath, readPath } from '../../../shared/formats/claim-path.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** Returns the claims of the person that the claim link of an authorization needs from the provider. */
export async function claimsToMatch(
  deps: Pick<Deps, 'db'>,
  tenant: Pick<Tenant, 'id'>,
  { claimLinkId }: Pick<AuthorizationRow, 'claimLinkId'>,
): Promise<string[]> {
  const link = claimLinkId === null ? undefined : await findClaimLink(deps.db.read, tenant.id, claimLinkId)
  const { claim, acceptUnverified } = link?.signIn ?? {}
  if (claim === undefined) return []
  const verification = acceptUnverified ? undefined : claimOfVerification(claim)
  return verification === undefined ? [claim] : [claim, verification]
}

interface SignedIn {
  subject: { providerId: string; issuer: string; subjectId: string }
  /** The claims that the provider sent. */
  claims: Claims
}

/**
 * Returns who gets the credentials of an authorization: the user of its claim link, or null for the person who has signed in. Returns
 * `refused` with the reason for the operator, without values, if the claim link is not for this person:
 *
 * - With `claim`, its value must be the one of the row.
 * - Without it, the person must be the user of the link: of the row, or the first person who has collected a token with the link.
 */
export async function findHolder(
  deps: Pick<Deps, 'db' | 'secrets'>,
  tenant: Pick<Tenant, 'id'>,
  { claimLinkId }: Pick<AuthorizationRow, 'claimLinkId'>,
  { subject, claims }: SignedIn,
): Promise<{ userId: string | null; refused?: never } | { refused: string }> {
  if (claimLinkId === null) return { userId: null }
  const link = await findClaimLink(deps.db.read, tenant.id, claimLinkId)
  if (!link?.signIn) return { refused: 'The claim link has no sign-in' }
  const { userId, signIn } = link
  if (signIn.claim !== undefined) {
    const expected = claimOfRow(deps, link)
    const sent = textOf(readPath(claims, [signIn.claim]))
    const isSame = signIn.claim === 'email' ? isSameEmail(sent, expected) : sent === expected
    if (sent === undefined) return { refused: `The provider did not send the claim ${signIn.claim}` }
    if (expected === undefined || !isSame) return { refused: `The claim ${signIn.claim} is not that of the row` }
    const unproven = findMissingProof(signIn, claims)
    return unproven === undefined ? { userId } : { refused: unproven }
  }
  if (userId === null) return { userId }
  return (await findUserBySubject(deps.db.read, tenant.id, subject)) === userId
    ? { userId }
    : { refused: 'The claim link is for another user' }
}

/** Returns the value of the row that the claim of the person must have. */
function claimOfRow(
  { secrets }: Pick<Deps, 'secrets'>,
  { id, signIn, sealedContent }: ClaimLinkRow,
): string | undefined {
  const path = parseClaimPath(signIn?.rowClaim ?? '')?.path
  if (!path || sealedContent === null) return undefined
  return textOf(readPath(openClaimLink(secrets, id, sealedContent).claims, path))
}

/** Compares without the case of ASCII letters. Other letters can have several lower-case forms. */
function isSameEmail(left = '', right = ''): boolean {
  return inLowerCase(left) === inLowerCase(right)
}

const inLowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Returns why a claim is not proven, if the person can have entered it without proof. Some providers send the claim of the verification
 * as text.
 */
function findMissingProof({ claim = '', acceptUnverified }: LinkSignIn, claims: Claims): string | undefined {
  const verification = claimOfVerification(claim)
  if (verification === undefined || acceptUnverified) return undefined
  if (claims[verification] === true || claims[verification] === 'true') return undefined
  return Object.hasOwn(claims, verification)
    ? `The provider has not verified the claim ${claim} (${verification})`
    : `The provider did not send the claim ${verification}. Set acceptUnverified if people cannot change ${claim}`
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text
}

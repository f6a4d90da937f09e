import { dayMs, hourMs } from '../../clock.ts'
import { hashSecret } from '../../ids.ts'
import { equalInConstantTime, type Macs, type Secrets } from '../../secrets/secrets.ts'
import { claimLinkContext } from '../../secrets/stored-contexts.ts'
import { isReferenceOf, shortReferenceOf } from './short-references.ts'

/** The limits of `expiresIn` of claim links, and its default. */
export const minClaimLinkMs = hourMs
export const maxClaimLinkMs = 365 * dayMs
export const defaultClaimLinkMs = 30 * dayMs

/** The time that a claim link is stored after its end. It can be renewed meanwhile. */
export const claimLinkKeptDays = 30

const macUse = 'claim link address'

/** The sealed content of a claim link. */
export interface ClaimLinkContent {
  claims: Record<string, unknown>
  transactionCode?: string
}

/** A sign-in at the tenant's provider, which a claim link needs. */
export interface LinkSignIn {
  /** A claim of the person who signs in. It must equal a claim of the row. Absent: see `findHolder`. */
  claim?: string
  /** The path of the claim of the row, such as `claims.email`. */
  rowClaim?: string
  /** Also accepts an email address or a telephone number that the provider has not verified. */
  acceptUnverified?: true
}

/** Claims of a person, each with the claim that says whether the provider has verified it (OpenID Connect Core 1.0, section 5.1). */
export const claimsOfVerification: ReadonlyMap<string, string> = new Map([
  ['email', 'email_verified'],
  ['phone_number', 'phone_number_verified'],
])

/** Returns the claim that says whether the provider has verified a claim (OpenID Connect Core 1.0, section 5.1), if there is one. */
export function claimOfVerification(claim: string): string | undefined {
  return claimsOfVerification.get(claim)
}

interface LinkRow {
  id: string
  /** The number of renewals of the link. */
  generation: number
}

/**
 * Returns the reference of a claim link. The secret is derived from the id, so that results of a bulk issuance can show the address
 * again. A renewed link has another secret.
 */
export function claimLinkReferenceOf(macs: Pick<Macs, 'mac'>, link: LinkRow): string {
  return shortReferenceOf(macs, addressedOf(link))
}

/** Returns the address of a claim link, which people open in a browser. */
export function claimLinkAddressOf(baseUrl: string, reference: string): string {
  return `${baseUrl}/l/${reference}`
}

/** Returns whether the reference is that of the link, under one of the secrets, or under the one that made the link. */
export function isClaimLinkReference(
  macs: Pick<Macs, 'macs'>,
  link: LinkRow & { secretHash: string },
  reference: string,
): boolean {
  if (equalInConstantTime(hashSecret(reference), link.secretHash)) return true
  return isReferenceOf(macs, addressedOf(link), reference)
}

function addressedOf({ id, generation }: LinkRow) {
  return { use: macUse, id, data: `${id} ${generation}` }
}

/**
 * Begins the content of a link with a sign-in. Versions that do not know the sign-in cannot read the content, so they never give a
 * credential without one.
 */
const signInMark = 'This link needs a sign-in: '

export function sealClaimLink(
  secrets: Pick<Secrets, 'seal'>,
  { id, signIn }: { id: string; signIn: LinkSignIn | null },
  content: ClaimLinkContent,
): string {
  const mark = signIn ? signInMark : ''
  return secrets.seal(mark + JSON.stringify(content), claimLinkContext(id))
}

/** Throws if the text was changed, or sealed for another link. */
export function openClaimLink(secrets: Pick<Secrets, 'open'>, id: string, sealed: string): ClaimLinkContent {
  const text = secrets.open(sealed, claimLinkContext(id))
  // Boundary: `sealClaimLink` sealed this value.
  return JSON.parse(text.startsWith(signInMark) ? text.slice(signInMark.length) : text) as ClaimLinkContent
}

import { wrongField } from '../../shared/errors.ts'

/** A shorter secret would lose too much by five characters. */
const shortestPartlyShown = 20

/** Eight asterisks, which hide the length, and the last five characters of a secret of at least 20. */
export function maskClientSecret(clientSecret: string): string {
  return `${'*'.repeat(8)}${clientSecret.length >= shortestPartlyShown ? clientSecret.slice(-5) : ''}`
}

/** A secret that an operator gives for the first time. Throws for a masked one, also of a short secret as earlier versions showed it. */
export function requireUnmasked(param: string, given: string): string {
  if (/^\*{8}(.{5})?$/.test(given)) throw wrongField(param, 'Must be the secret itself, not how it is shown')
  return given
}

/**
 * The secret that is stored from now on: the one that is given, or the stored one where none is given or it comes back as
 * it was shown. The stored one goes to no other origin than before: there it is needed anew.
 */
export function replaceSecret(param: string, given: string | undefined, stored: string, hasMoved: boolean): string {
  if (given !== undefined && given !== maskClientSecret(stored)) return requireUnmasked(param, given)
  if (hasMoved) throw wrongField(param, 'Must be given anew, because it would go to another origin')
  return stored
}

/** Scheme, host and port of an address (RFC 6454, section 4): where a secret goes. */
export function originOf(url: string): string {
  return new URL(url).origin
}

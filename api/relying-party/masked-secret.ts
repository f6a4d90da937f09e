import { wrongField } from '../../shared/errors/errors.ts'

/** Five visible characters would reveal too much of a shorter secret. */
const minPartlyShownLength = 20

/** Masks a secret with eight asterisks, which hide its length. Shows the last five characters of a secret of at least 20 characters. */
export function maskClientSecret(clientSecret: string): string {
  return `${'*'.repeat(8)}${clientSecret.length >= minPartlyShownLength ? clientSecret.slice(-5) : ''}`
}

/** Checks a new secret. Throws for a masked secret, including the mask that earlier versions used for short secrets. */
export function requireUnmasked(param: string, secret: string): string {
  if (/^\*{8}(.{5})?$/.test(secret)) throw wrongField(param, 'Must be the secret itself, not its masked form')
  return secret
}

/**
 * Returns the secret to store: the given one, or the stored one if no secret or its masked form is given. The stored secret is never
 * sent to another origin: if the origin changes, the secret must be given again.
 */
export function replaceSecret(param: string, secret: string | undefined, stored: string, hasMoved: boolean): string {
  if (secret !== undefined && secret !== maskClientSecret(stored)) return requireUnmasked(param, secret)
  if (hasMoved) throw wrongField(param, 'Required again, because the secret would be sent to another origin')
  return stored
}

/** Returns scheme, host and port of a URL (RFC 6454, section 4), to which a secret is sent. */
export function originOf(url: string): string {
  return new URL(url).origin
}

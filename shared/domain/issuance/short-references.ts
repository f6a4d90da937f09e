import { shortIdOf, uuidOf } from '../../ids.ts'
import { equalInConstantTime, type Macs } from '../../secrets/secrets.ts'

/** An object with a secret address. The secret of the address is derived from `data`, for one use. */
interface Addressed {
  use: string
  /** A UUID. */
  id: string
  data: string
}

/** The characters of 128 bits in base64url: an id, or a secret that cannot be guessed. */
const partLength = 22

/** A short reference, as a regular expression. */
export const shortReferencePattern = '[\\w-]{44}'

/**
 * Returns the part of an address that finds an object and gives access to it: the id and 128 bits of a MAC, without a separator. It has
 * 44 characters, so that QR codes of addresses are small.
 */
export function shortReferenceOf(macs: Pick<Macs, 'mac'>, { use, id, data }: Addressed): string {
  return shortReference(id, macs.mac(use, data))
}

/** Returns the short reference of an id and a secret in base64url. */
export function shortReference(id: string, secret: string): string {
  return shortIdOf(id) + secret.slice(0, partLength)
}

/**
 * Returns whether the reference is that of the object under any of the secrets: a short one, or the id with the whole MAC, which
 * versions until 0.1.0 made.
 */
export function isReferenceOf({ macs }: Pick<Macs, 'macs'>, { use, id, data }: Addressed, reference: string): boolean {
  return macs(use, data)
    .flatMap((mac) => [shortReference(id, mac), `${id}.${mac}`])
    .some((valid) => equalInConstantTime(reference, valid))
}

/** Returns the id in a reference of either form. For any other text, the result is the id of no object. */
export function idOfReference(reference: string): string {
  if (reference.includes('.') || reference.length !== 2 * partLength) return reference.split('.', 1)[0] ?? ''
  return uuidOf(reference.slice(0, partLength))
}

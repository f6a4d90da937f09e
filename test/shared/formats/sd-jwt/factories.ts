import { randomBytes } from 'node:crypto'
import { checkClaims } from '../../../../shared/formats/sd-jwt/check-claims.ts'
import { type ClaimTree, type Disclosability, resolveTree } from '../../../../shared/formats/sd-jwt/claim-tree.ts'
import {
  type DecoyOptions,
  encodeClaims,
  joinSdJwt,
  type RandomSource,
} from '../../../../shared/formats/sd-jwt/encode-claims.ts'

export const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT with a signature of one byte. */
export function unsignedJwt(payload: object, header: object = { alg: 'ES256', typ: 'dc+sd-jwt' }): string {
  return `${part(header)}.${part(payload)}.AA`
}

interface Options {
  disclose?: Disclosability
  decoys?: DecoyOptions
  random?: RandomSource
}

/** Encodes claims that must fit the tree. */
export function encode(claims: Record<string, unknown>, tree: ClaimTree, options: Options = {}) {
  const checked = checkClaims(claims, resolveTree(tree, options.disclose))
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults))
  return encodeClaims(checked, options.random ?? randomBytes, options.decoys)
}

/** An SD-JWT with all disclosures and without a valid signature. */
export function sdJwtOf(claims: Record<string, unknown>, tree: ClaimTree, options: Options = {}): string {
  const { payload, disclosures } = encode(claims, tree, options)
  return joinSdJwt(unsignedJwt(payload), disclosures)
}

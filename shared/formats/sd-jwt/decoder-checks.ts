import { FormatError } from '../format-error.ts'

/** The checks of an SD-JWT VC: where each is required, and the message of its failure. Clauses of RFC 9901 have the form of its list. */
export const decoderChecks = {
  SdJwtSize: ['Limit of this service', 'The SD-JWT is too long or has too many disclosures'],
  SdJwtDepth: ['Limit of this service', 'The SD-JWT has too many levels'],
  SdJwtForm: ['RFC 9901, section 4', 'The text is not a JWT and disclosures, each followed by a tilde'],
  JwtForm: ['RFC 9901, section 7.1, step 2', 'The issuer-signed JWT is not a JWT'],
  JwtType: ['draft-ietf-oauth-sd-jwt-vc, section "JOSE Header"', 'The typ of the JWT is not dc+sd-jwt'],
  JwtAlgorithm: ['RFC 9901, section 7.1, step 2.a', 'The signature algorithm of the JWT is not supported'],
  JwtExtensions: ['RFC 7515, section 4.1.11', 'The JWT has critical header parameters, which are not supported'],
  HashAlgorithm: ['RFC 9901, section 7.1, step 2.d', 'The hash algorithm (_sd_alg) is not supported'],
  DisclosureForm: ['RFC 9901, section 4.2', 'A disclosure is not the base64url of a JSON array with a salt'],
  PropertyDisclosure: [
    'RFC 9901, section 7.1, step 3.c.ii.1',
    'A disclosure of an object property does not have salt, name and value',
  ],
  ElementDisclosure: [
    'RFC 9901, section 7.1, step 3.c.iii.1',
    'A disclosure of an array element does not have salt and value',
  ],
  ReservedName: ['RFC 9901, section 7.1, step 3.c.ii.2', 'A disclosed claim has a name that SD-JWT itself uses'],
  ClaimName: ['RFC 9901, section 7.1, step 3.c.ii.3', 'Two claims of one object have the same name'],
  PropertyDigests: ['RFC 9901, section 4.2.4.1', 'A member _sd is not an array of texts'],
  ElementDigest: ['RFC 9901, section 4.2.4.2', 'A member ... is not the only member of an array element, with a text'],
  HashAlgorithmPlace: ['RFC 9901, section 4.1.1', 'A member _sd_alg is not at the top level'],
  DuplicateDigest: ['RFC 9901, section 7.1, step 4', 'A digest occurs more than once'],
  UnreferencedDisclosure: ['RFC 9901, section 7.1, step 5', 'No digest refers to a disclosure'],
  DuplicateDisclosure: ['RFC 9901, section 4', 'A disclosure occurs more than once'],
  VisibleClaim: [
    'draft-ietf-oauth-sd-jwt-vc, section "Registered JWT Claims"',
    'A claim is disclosable that must not be',
  ],
  KeyBindingRequired: ['RFC 9901, section 7.3, step 2', 'The presentation has no key binding JWT'],
  KeyBindingForm: ['RFC 9901, section 4.3', 'The key binding JWT is not a JWT with iat, aud, nonce and sd_hash'],
  HolderKey: ['RFC 9901, section 7.3, step 5.a', 'The credential has no key of a holder (cnf.jwk) that is supported'],
  KeyBindingAlgorithm: [
    'RFC 9901, section 7.3, step 5.b',
    'The signature algorithm of the key binding JWT is not supported',
  ],
  KeyBindingSignature: [
    'RFC 9901, section 7.3, step 5.c',
    'The key binding JWT is not signed with the key of the holder',
  ],
  KeyBindingType: ['RFC 9901, section 7.3, step 5.d', 'The typ of the key binding JWT is not kb+jwt'],
  KeyBindingTime: ['RFC 9901, section 7.3, step 5.e', 'The key binding JWT is too old, or from the future'],
  KeyBindingNonce: ['RFC 9901, section 7.3, step 5.f', 'The nonce of the key binding JWT is another'],
  KeyBindingAudience: ['RFC 9901, section 7.3, step 5.f', 'The audience of the key binding JWT is another'],
  KeyBindingHash: ['RFC 9901, section 7.3, step 5.g', 'The sd_hash of the key binding JWT is of another presentation'],
  KeyBindingExtensions: [
    'RFC 9901, section 7.3, step 5.h',
    'The key binding JWT has critical header parameters, which are not supported',
  ],
} as const satisfies Record<string, readonly [clause: string, message: string]>

export type DecoderCheck = keyof typeof decoderChecks

/** A failed check of an SD-JWT. The message contains no claim. */
export class SdJwtError extends FormatError {
  readonly check: DecoderCheck
  /** The clause that requires the check. */
  readonly clause: string

  constructor(check: DecoderCheck) {
    const [clause, message] = decoderChecks[check]
    super('invalid_sd_jwt', `${message} (${clause})`)
    this.check = check
    this.clause = clause
  }
}

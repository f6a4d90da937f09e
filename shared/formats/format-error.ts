/** The kind of fault in external bytes or values. Callers translate it to a problem. */
export type FormatErrorCode =
  | 'invalid_attestation'
  | 'invalid_cbor'
  | 'invalid_certificate'
  | 'invalid_cose'
  | 'invalid_csr'
  | 'invalid_cwt'
  | 'invalid_did'
  | 'invalid_did_document'
  | 'invalid_element'
  | 'invalid_jwk'
  | 'invalid_json_ld'
  | 'invalid_jws'
  | 'invalid_message'
  | 'invalid_sd_jwt'
  | 'invalid_trusted_list'
  | 'reserved_claim'
  | 'signature_mismatch'
  | 'unknown_context'
  | 'unsignable_claim'

/** The error of all functions in `formats/`. The message names the violated rule and never contains a claim's value. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
  readonly code: FormatErrorCode

  constructor(code: FormatErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The maximum number of names and indexes in the path of a claim. */
export const maxClaimDepth = 10

/** The maximum size of the claims of a credential as JSON, in bytes. */
export const maxClaimBytes = 1_000_000

/** The maximum number of disclosures of a credential. A decoder refuses more, so an encoder does not create them. */
export const maxDisclosures = 10_000

/** The maximum length of an SD-JWT with its disclosures and key binding JWT, in characters. */
export const maxSdJwtLength = 4_000_000

/** The maximum number of levels in an external SD-JWT, with its disclosures in place. */
export const maxDecodedDepth = 64

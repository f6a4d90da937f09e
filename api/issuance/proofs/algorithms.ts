/** The algorithms of proofs and key attestations, as the metadata advertises them. */
export const proofAlgorithms = ['ES256', 'EdDSA'] as const

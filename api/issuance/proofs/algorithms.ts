/** The algorithms of proofs and key attestations, as published in the metadata. */
export const proofAlgorithms = ['ES256', 'EdDSA'] as const

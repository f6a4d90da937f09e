/** The algorithms of DPoP proofs, as metadata and challenges advertise them. */
export const dpopAlgorithms = ['ES256'] as const

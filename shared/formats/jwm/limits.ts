/** What a message may have at most, ours and those of others: work and memory are bounded before any key is touched. */
export const mostRecipients = 50
export const mostPlaintextBytes = 100_000
/** Of a DID URL in a header, which others write too; longer ones are nobody's. */
export const longestDidUrl = 1_000
/** Fits a message with all of the above. */
export const mostMessageBytes = 400_000

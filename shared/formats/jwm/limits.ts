/** Limits of own and external messages. They bound work and memory before any key is used. */
export const maxRecipients = 50
export const maxPlaintextBytes = 100_000
/** Maximum characters of a DID URL in a header. */
export const maxDidUrlLength = 1_000
/** Enough for a message at all limits above. */
export const maxMessageBytes = 400_000

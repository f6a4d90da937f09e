/** Whose a request turned out to be, for events: ids, besides the offer's. */
export interface AttributedIds {
  userId?: string | null | undefined
  sessionId?: string | null | undefined
}

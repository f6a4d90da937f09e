/** The ids that a handler adds to the event of its request, besides the id of the offer. */
export interface AttributedIds {
  userId?: string | null | undefined
  sessionId?: string | null | undefined
  /** The view of the offer or authorization, if the request is not at the address of the view. */
  viewId?: string | null | undefined
  /** Set if the requested credential is not bound to a key. */
  keyBinding?: false
}

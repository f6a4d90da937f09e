/** An analytics event of an operation (decisions: analytics). */
export interface AnalyticsEvent {
  id: string
  tenantId: string
  type: string
  category: string
  /** ISO 8601 */
  timestamp: string
  requestId: string
  /** The id of a management client. */
  clientId?: string | undefined
  /** The client id that a wallet claims. It can be any text. */
  walletClientId?: string | undefined
  managementUserId?: string | undefined
  /** The credential offer of the event. */
  offerId?: string | undefined
  data: Record<string, unknown>
}

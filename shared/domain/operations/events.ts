/** Analytics of operations (decisions: analytics). */
export interface AnalyticsEvent {
  id: string
  tenantId: string
  type: string
  category: string
  /** ISO 8601 */
  timestamp: string
  requestId: string
  /** A management client. */
  clientId?: string | undefined
  /** What a wallet calls itself, which can be anything. */
  walletClientId?: string | undefined
  managementUserId?: string | undefined
  /** The credential offer that it happened to. */
  offerId?: string | undefined
  data: Record<string, unknown>
}

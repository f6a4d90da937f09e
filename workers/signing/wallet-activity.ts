/** For this time after a wallet has collected a credential, other wallets are expected. */
const recentMs = 1_000

/** Whether wallets collect credentials from this process at the moment. */
export interface WalletActivity {
  /** Notes that a wallet collects a credential. */
  note(): void
  isRecent(): boolean
}

export function createWalletActivity(now: () => number = () => performance.now()): WalletActivity {
  let notedAt = Number.NEGATIVE_INFINITY
  return {
    note() {
      notedAt = now()
    },
    isRecent: () => now() - notedAt < recentMs,
  }
}

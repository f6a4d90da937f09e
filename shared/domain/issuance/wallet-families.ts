/** The families of wallets whose public libraries the service knows (`api/issuance/readers`). */
export const walletFamilies = ['eudi-android', 'eudi-ios', 'credo', 'multipaz', 'walt-id', 'inji'] as const

export type WalletFamily = (typeof walletFamilies)[number]

import { texts } from '../../kit/language.ts'

export const accessTexts = texts('access')

export const clientTexts = texts('client')

export const ownRoleTexts = texts('ownRoles')

export const sourceTexts = texts('source')

export const walletTexts = texts('knownWallets')

export const walletProviderTexts = texts('walletProvider')

/** The checks of a wallet attestation. */
export const attestationTexts = texts('attestation')

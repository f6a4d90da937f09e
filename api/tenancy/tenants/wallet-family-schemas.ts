import { z } from 'zod'
import { walletFamilies } from '../../../shared/domain/issuance/wallet-families.ts'
import { described, named } from '../../http/fields.ts'

export const WalletFamilyName = named(
  'WalletFamily',
  'A family of wallets whose public library the service knows',
  described(z.enum(walletFamilies), 'A wallet family', 'eudi-ios'),
)

export const WalletFamilies = described(
  z.array(WalletFamilyName).max(walletFamilies.length),
  'The wallet families of the people who get credentials. An offer that one of them cannot read has a warning',
  ['eudi-ios'],
)

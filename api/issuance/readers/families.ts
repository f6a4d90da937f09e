import type { WalletFamily } from '../../../shared/domain/issuance/wallet-families.ts'
import type { ReaderCheck } from './check.ts'
import { credoChecks } from './credo.ts'
import { eudiAndroidChecks } from './eudi-android.ts'
import { eudiIosChecks } from './eudi-ios.ts'
import { injiChecks } from './inji.ts'
import { multipazChecks } from './multipaz.ts'
import { credo, eudiAndroid, eudiIos, inji, multipaz, waltId } from './sources.ts'
import { waltIdChecks } from './walt-id.ts'

interface Family {
  name: string
  /** The version of the library whose checks are here. */
  version: string
  checks: readonly ReaderCheck[]
}

/** The wallet families, with what their public libraries require of an issuer. */
export const families: Readonly<Record<WalletFamily, Family>> = {
  'eudi-android': { name: 'EUDI Wallet for Android', version: eudiAndroid.version, checks: eudiAndroidChecks },
  'eudi-ios': { name: 'EUDI Wallet for iOS', version: eudiIos.version, checks: eudiIosChecks },
  credo: { name: 'Credo', version: credo.version, checks: credoChecks },
  multipaz: { name: 'Multipaz', version: multipaz.version, checks: multipazChecks },
  'walt-id': { name: 'walt.id', version: waltId.version, checks: waltIdChecks },
  inji: { name: 'Inji', version: inji.version, checks: injiChecks },
}

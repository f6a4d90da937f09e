import type { Source } from './check.ts'

/** A public library of a wallet family. */
interface Library {
  repository: string
  version: string
  /** The folder of the files. */
  folder: string
}

export const eudiAndroid = {
  repository: 'eu-digital-identity-wallet/eudi-lib-jvm-openid4vci-kt',
  version: 'v0.13.0-3-ge1336d66',
  folder: 'src/main/kotlin/eu/europa/ec/eudi/openid4vci/',
} as const satisfies Library

export const eudiIos = {
  repository: 'eu-digital-identity-wallet/eudi-lib-ios-openid4vci-swift',
  version: 'v0.53.0',
  folder: 'Sources/',
} as const satisfies Library

export const credo = {
  repository: 'openwallet-foundation-labs/oid4vc-ts',
  version: 'v0.5.5',
  folder: 'packages/',
} as const satisfies Library

export const multipaz = {
  repository: 'openwallet-foundation/multipaz',
  version: '17924cf3f31c78739bf121f53275b5ee4f265900',
  folder: 'multipaz/src/commonMain/kotlin/org/multipaz/provisioning/openid4vci/',
} as const satisfies Library

export const waltId = {
  repository: 'walt-id/waltid-identity',
  version: 'b19fda24510c7543f3c3dcad1daf2d77f4a168d1',
  folder: 'waltid-libraries/protocols/',
} as const satisfies Library

/** The version is that of the list of formats. Other files were read at other commits. */
export const inji = {
  repository: 'mosip/inji-vci-client',
  version: '03401d0675f94b80d559f990876c8b0e376c26a0',
  folder: 'kotlin/vci-client/src/main/java/io/mosip/vciclient/',
} as const satisfies Library

/** Returns a file of a library, at the version of the library or at another commit. */
export function fileOf({ repository, folder, version }: Library, path: string, commit: string = version): Source {
  return { repository, path: folder + path, version: commit }
}

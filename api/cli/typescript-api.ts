import common from '@ts-morph/common'

/** The API of TypeScript as ts-morph brings it along: version 7, which is the package `typescript` here, has none. */
export default common.ts

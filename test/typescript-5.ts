import common from '@ts-morph/common'

/** The API of TypeScript 5, which ts-morph brings along: the package `typescript` here is one that has none. */
export default common.ts

import common from '@ts-morph/common'

/** The TypeScript API that ts-morph contains. The package `typescript` is version 7 here, which has no API. */
export default common.ts

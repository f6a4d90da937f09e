/**
 * The types of the values that the kernel passes to handlers: `deps`, `tenant`, `caller`, `holder` and `writer`, a transaction. `api/deps.ts`
 * and `api/access/subjects.ts` declare them by declaration merging, so that the kernel does not depend on the application.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the application declares its members
export interface Application {}

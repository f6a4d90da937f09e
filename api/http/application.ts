/**
 * What the kernel is handed and hands on: `deps`, and who calls (`tenant`, `caller`, `holder`). It knows no business word, so
 * that the types are the application's: `api/deps.ts` declares them here (declaration merging).
 */
// biome-ignore lint/suspicious/noEmptyInterface: its members are declared where the types are known
export interface Application {}

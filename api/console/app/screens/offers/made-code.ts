let made: { id: string; code: string } | undefined

/** Holds the transaction code of a new offer until its screen takes it. The code stays in memory only. */
export function holdCode(id: string, code: string): void {
  made = { id, code }
}

/** Returns the code of this offer once. Drops the code of any other offer. */
export function takeCode(id: string): string | undefined {
  const code = made?.id === id ? made.code : undefined
  made = undefined
  return code
}

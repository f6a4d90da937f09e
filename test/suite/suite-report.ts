/** The result of a run of vitest. Files are relative to the root of the project. */
export interface SuiteReport {
  passed: number
  failed: { file: string; name: string; error: string }[]
  skipped: { file: string; name: string; tags: string[] }[]
  /** Errors outside of tests: of modules, of hooks, of workers that ended, and unhandled ones. */
  errors: string[]
  files: { file: string; ms: number }[]
  /** The seed of the random choices by file, of tests that failed. */
  seeds: Record<string, string>
  /** Milliseconds from the start to the end of the run. */
  ms: number
}

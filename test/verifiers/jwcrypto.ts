import { spawnSync } from 'node:child_process'
import { python } from './python.ts'

export interface RecomputedSdJwt {
  /** The claims with all disclosures. */
  claims: Record<string, unknown>
  /** The number of digests without a disclosure. */
  decoys: number
}

/** Verifies SD-JWTs and recomputes all their digests with jwcrypto. Throws the error of the script. */
export function recomputeSdJwts(texts: readonly string[]): RecomputedSdJwt[] {
  const script = new URL('verify_sd_jwts.py', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync(python, [script], { input: JSON.stringify(texts) })
  if (status !== 0) throw new Error(String(stderr))
  return JSON.parse(String(stdout))
}

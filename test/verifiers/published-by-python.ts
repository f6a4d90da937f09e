import { spawnSync } from 'node:child_process'
import { python } from './python.ts'

interface Of {
  url: string
  /** The certificate of the authority, PEM. */
  root: string
}

export interface PublishedBytes {
  /** Seconds since 1970. */
  at: number
  /** In base64. */
  crls: (Of & { crl: string })[]
  /** Each a COSE_Sign1 with the certificate of its signer, in base64. */
  signed: (Of & { cose: string })[]
}

/** Verifies signatures, signers and times with Python, which needs the packages cbor2 and cryptography. Returns the first fault. */
export function findFaultByPython(published: PublishedBytes): string | undefined {
  const script = new URL('verify_published.py', import.meta.url).pathname
  const { status, stderr } = spawnSync(python, [script], { input: JSON.stringify(published) })
  return status === 0 ? undefined : String(stderr)
}

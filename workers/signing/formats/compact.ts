import { buildCompactCwt } from '../../../shared/formats/cwt.ts'
import { signCwtCredential } from './cwt-credential.ts'
import type { SigningInput } from './signing-input.ts'

/** A compact credential (`cwt`), `CSC:/1/...`. Throws a `FormatError` for reserved claim names and mismatched keys. */
export function signCompact(input: SigningInput): Promise<string> {
  return signCwtCredential(
    'compact',
    (frame) => buildCompactCwt({ ...frame, type: input.type, claims: input.claims }),
    input,
  )
}

import { buildCompactSemanticCwt } from '../../../shared/formats/cwt.ts'
import { signCwtCredential } from './cwt-credential.ts'
import type { SigningInput } from './signing-input.ts'

/** A compact semantic credential (`cwt_vc`), `CSS:/1/...`. Throws a `FormatError` as `signCompact` does. */
export function signCompactSemantic(input: SigningInput): Promise<string> {
  return signCwtCredential(
    'compact-semantic',
    (frame) => buildCompactSemanticCwt({ ...frame, type: input.type, claims: input.claims }),
    input,
  )
}

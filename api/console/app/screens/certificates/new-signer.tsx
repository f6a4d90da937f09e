import { useAction } from '../../kit/dialog.tsx'
import { say } from '../../kit/language.ts'
import { ProblemMessage } from '../../kit/states.tsx'
import { type SignerKind, signers } from './kinds.ts'
import { certificateTexts } from './texts.ts'

/** Creates a signer. Its root is the only input. */
export function NewSigner({ kind, iacaId, onDone }: { kind: SignerKind; iacaId: string; onDone: () => void }) {
  const { run, problem, isBusy } = useAction(() => signers[kind].create(iacaId), onDone)
  const name = say(certificateTexts.newSigner, { kind: say(certificateTexts[kind]) })
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void run()}>
        {name}
      </button>
      {problem && <ProblemMessage problem={problem} />}
    </>
  )
}

import { useAction } from '../../kit/dialog.tsx'
import { say } from '../../kit/language.ts'
import { Trouble } from '../../kit/states.tsx'
import { type SignerKind, signers } from './kinds.ts'
import { certificateTexts } from './texts.ts'

/** Nothing has to be said of a new one but its root. */
export function NewSigner({ kind, iacaId, onDone }: { kind: SignerKind; iacaId: string; onDone: () => void }) {
  const { run, problem, isBusy } = useAction(() => signers[kind].create(iacaId), onDone)
  const name = say(certificateTexts.newSigner, { kind: say(certificateTexts[kind]) })
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void run()}>
        {name}
      </button>
      {problem && <Trouble problem={problem} />}
    </>
  )
}

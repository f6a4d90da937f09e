import type { Answered } from './api.ts'
import { useAction } from './dialog.tsx'
import { type Calls, canCall } from './session.ts'
import { ProblemMessage } from './states.tsx'

/** A button that runs an action, for users who may call its operation. Shows the problem below the button if the action fails. */
export function ActButton<Data>(props: {
  calls: Calls
  label: string
  isPrimary?: boolean
  act: () => Promise<Answered<Data>>
  onDone: (data: Data) => void
}) {
  const { calls, label, isPrimary, act, onDone } = props
  const { run, problem, isBusy } = useAction(act, onDone)
  if (!canCall(calls)) return null
  return (
    <>
      <button type="button" class={isPrimary ? 'primary' : ''} disabled={isBusy} onClick={() => void run()}>
        {label}
      </button>
      {problem && <ProblemMessage problem={problem} />}
    </>
  )
}

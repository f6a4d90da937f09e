import type { Answered } from './api.ts'
import { useAction } from './dialog.tsx'
import { Trouble } from './states.tsx'

/** A button that does something at once; why it could not stands below it. */
export function ActButton<Data>(props: {
  label: string
  isPrimary?: boolean
  act: () => Promise<Answered<Data>>
  onDone: (data: Data) => void
}) {
  const { label, isPrimary, act, onDone } = props
  const { run, problem, isBusy } = useAction(act, onDone)
  return (
    <>
      <button type="button" class={isPrimary ? 'primary' : ''} disabled={isBusy} onClick={() => void run()}>
        {label}
      </button>
      {problem && <Trouble problem={problem} />}
    </>
  )
}

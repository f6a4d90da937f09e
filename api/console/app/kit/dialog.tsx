import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answered } from './api.ts'
import { CopyButton } from './copy.tsx'
import { say } from './language.ts'
import type { Problem } from './problem.ts'
import { type Calls, canCall } from './session.ts'
import { ProblemMessage } from './states.tsx'
import { commonTexts } from './texts.ts'

/** A modal dialog of the browser. Focus stays in the dialog, Escape closes it, and focus then returns to its former element. */
export function Dialog(props: { title: string; onClose?: (() => void) | undefined; children: ComponentChildren }) {
  const { title, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Opens the dialog before the browser handles the next key press.
  useLayoutEffect(() => {
    dialog.current?.showModal()
    // Browsers would focus the close button.
    beginningOf(dialog.current)?.focus()
    // Returns the focus also if a button of the content ends the dialog.
    return () => dialog.current?.close()
  }, [])
  // Opens a required dialog again: browsers let the second Escape close a dialog that refused the first.
  const closed = () => (onClose ? onClose() : dialog.current?.showModal())
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={closed}>
      <header class="head">
        <h2 id={heading}>{title}</h2>
        {onClose && (
          <button
            type="button"
            class="plain"
            aria-label={say(commonTexts.close)}
            onClick={() => dialog.current?.close()}
          >
            ✕
          </button>
        )}
      </header>
      {children}
    </dialog>
  )
}

/** Returns the first field. Without a field, returns the cancel button, or else the first button. */
function beginningOf(dialog: HTMLDialogElement | null): HTMLElement | null | undefined {
  const find = (what: string) => dialog?.querySelector<HTMLElement>(what)
  return find(':is(input, select, textarea):enabled') ?? find('.cancel') ?? find(':scope > :not(header) button')
}

interface Confirmed<Data> {
  label: string
  children: ComponentChildren
  word?: string | undefined
  isDanger?: boolean
  act: () => Promise<Answered<Data>>
  onDone: (data: Data) => void
}

/** A button that asks for confirmation, for users who may call its operation. With `word`, the user must type that word, for actions that cannot be undone. */
export function ConfirmButton<Data>(props: Confirmed<Data> & { calls: Calls; title: string }) {
  const { calls, title, ...confirmed } = props
  const { label, word, isDanger = word !== undefined, onDone } = confirmed
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const done = (data: Data) => {
    close()
    onDone(data)
  }
  if (!canCall(calls)) return null
  return (
    <>
      <button type="button" class={isDanger ? 'danger' : ''} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <ConfirmForm {...confirmed} isDanger={isDanger} onDone={done} onCancel={close} />
        </Dialog>
      )}
    </>
  )
}

/** The content of a dialog that asks for confirmation. */
export function ConfirmForm<Data>(props: Confirmed<Data> & { isDisabled?: boolean; onCancel: () => void }) {
  const { label, children, word, isDanger, isDisabled, act, onDone, onCancel } = props
  const [typed, setTyped] = useState('')
  const { run, problem, isBusy } = useAction(act, onDone)
  const isReady = !isDisabled && (word === undefined || typed.trim() === word)
  const submit = (event: Event) => {
    event.preventDefault()
    if (isReady) void run()
  }
  return (
    <form onSubmit={submit}>
      {children}
      {word !== undefined && (
        <label>
          {say(commonTexts.typeToConfirm, { word })}
          <input value={typed} autoComplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
      )}
      {problem && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="submit" class={isDanger ? 'danger' : 'primary'} disabled={isBusy || !isReady}>
          {label}
        </button>
        <button type="button" class="cancel" onClick={onCancel}>
          {say(commonTexts.cancel)}
        </button>
      </div>
    </form>
  )
}

/** Shows a secret that the service returns only once. The user copies it before closing the dialog. */
export function ShownOnce(props: { title: string; secret: string; advice?: string; onClose: () => void }) {
  const { title, secret, advice = say(commonTexts.shownOnce), onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{advice}</p>
      <p class="secret">
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
    </Dialog>
  )
}

/** Runs an action on request, one run at a time. Returns its problem if it failed. */
export function useAction<Data, Given extends unknown[] = []>(
  act: (...input: Given) => Promise<Answered<Data>>,
  onDone: (data: Data) => void,
): { run: (...input: Given) => Promise<void>; problem: Problem | undefined; isBusy: boolean } {
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const run = async (...input: Given) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(undefined)
    const answered = await act(...input)
    isRunning.current = false
    setBusy(false)
    if (answered.problem) setProblem(answered.problem)
    else onDone(answered.data)
  }
  return { run, problem, isBusy }
}

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answered } from './api.ts'
import { CopyButton } from './copy.tsx'
import { say } from './language.ts'
import type { Problem } from './problem.ts'
import { Trouble } from './states.tsx'
import { words } from './texts.ts'

/** A modal dialog of the browser: focus stays in it, Escape closes it, and then the focus is where it was. */
export function Dialog(props: { title: string; onClose?: (() => void) | undefined; children: ComponentChildren }) {
  const { title, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Before anything else can happen: a key that is pressed at once is meant for it.
  useLayoutEffect(() => {
    dialog.current?.showModal()
    // Browsers would begin with what closes it.
    beginningOf(dialog.current)?.focus()
  }, [])
  // One that has to be answered comes back: browsers let the second Escape close what refused the first.
  const closed = () => (onClose ? onClose() : dialog.current?.showModal())
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={closed}>
      <header class="head">
        <h2 id={heading}>{title}</h2>
        {onClose && (
          <button type="button" class="plain" aria-label={say(words.close)} onClick={() => dialog.current?.close()}>
            ✕
          </button>
        )}
      </header>
      {children}
    </dialog>
  )
}

/** The first field; where there is none, the button that does nothing, or the first one. */
function beginningOf(dialog: HTMLDialogElement | null): HTMLElement | null | undefined {
  const find = (what: string) => dialog?.querySelector<HTMLElement>(what)
  return find(':is(input, select, textarea):enabled') ?? find('.cancel') ?? find(':scope > :not(header) button')
}

/** A button that asks first. With `word`, that word has to be typed: for what cannot be taken back. */
export function ConfirmButton<Data>(props: {
  label: string
  title: string
  children: ComponentChildren
  word?: string
  isDanger?: boolean
  act: () => Promise<Answered<Data>>
  onDone: (data: Data) => void
}) {
  const { label, title, children, word, isDanger = word !== undefined, act, onDone } = props
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { run, problem, isBusy } = useAction(act, (data) => {
    setOpen(false)
    onDone(data)
  })
  const open = () => {
    setTyped('')
    setOpen(true)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (word === undefined || typed.trim() === word) void run()
  }
  return (
    <>
      <button type="button" class={isDanger ? 'danger' : ''} onClick={open}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <form onSubmit={submit}>
            {children}
            {word !== undefined && (
              <label>
                {say(words.typeToConfirm, { word })}
                <input value={typed} autoComplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
              </label>
            )}
            {problem && <Trouble problem={problem} />}
            <div class="actions">
              <button
                type="submit"
                class={isDanger ? 'danger' : 'primary'}
                disabled={isBusy || (word !== undefined && typed.trim() !== word)}
              >
                {label}
              </button>
              <button type="button" class="cancel" onClick={() => setOpen(false)}>
                {say(words.cancel)}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  )
}

/** A secret that the service tells once: to be copied before the dialog is closed. */
export function ShownOnce(props: { title: string; secret: string; advice?: string; onClose: () => void }) {
  const { title, secret, advice = say(words.shownOnce), onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{advice}</p>
      <p class="secret">
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
    </Dialog>
  )
}

/** Something that is done once it is asked for: never twice at a time, and what went wrong is there to be shown. */
export function useAction<Data, Given extends unknown[] = []>(
  act: (...given: Given) => Promise<Answered<Data>>,
  onDone: (data: Data) => void,
): { run: (...given: Given) => Promise<void>; problem: Problem | undefined; isBusy: boolean } {
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const run = async (...given: Given) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(undefined)
    const answered = await act(...given)
    isRunning.current = false
    setBusy(false)
    if (answered.problem) setProblem(answered.problem)
    else onDone(answered.data)
  }
  return { run, problem, isBusy }
}

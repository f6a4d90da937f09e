import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answered } from './api.ts'
import { useAction } from './dialog.tsx'
import { say, texts } from './language.ts'
import { type Calls, canCall } from './session.ts'
import { ProblemMessage } from './states.tsx'
import { commonTexts } from './texts.ts'
import { undoMessage } from './undo-place.tsx'

const shownForMs = 10_000

const undoTexts = texts('undo')

interface Done {
  what: string
  /** A sentence about what Undo does not restore. */
  note?: string | undefined
  /** Focuses the message, because the button of the action can disappear under the keyboard focus. */
  isByKeyboard: boolean
  undo: () => Promise<Answered<unknown>>
  onUndone: () => void
}

let lastKey = 0

/** A button that acts without a question. A message then offers `undo`, the inverse operation. */
export function UndoButton(props: {
  calls: Calls
  label: string
  note?: string | undefined
  isPrimary?: boolean
  isDanger?: boolean
  act: () => Promise<Answered<unknown>>
  undo: () => Promise<Answered<unknown>>
  /** Runs after the action and after it was undone. */
  onDone: () => void
}) {
  const { calls, label, note, isPrimary, isDanger, act, undo, onDone } = props
  const { run, problem, isBusy } = useAction(async (isByKeyboard: boolean) => {
    const answered = await act()
    return answered.problem ? answered : { data: { what: label, note, isByKeyboard, undo, onUndone: onDone } }
  }, showDone)
  function showDone(now: Done) {
    undoMessage.value = <UndoMessage key={++lastKey} of={now} />
    onDone()
  }
  if (!canCall(calls)) return null
  return (
    <>
      <button
        type="button"
        class={isDanger ? 'danger' : isPrimary ? 'primary' : ''}
        disabled={isBusy}
        // A key press has no clicks to count.
        onClick={({ detail }) => void run(detail === 0)}
      >
        {label}
      </button>
      {problem && <ProblemMessage problem={problem} />}
    </>
  )
}

/** Disappears after 10 s. The time does not run while the message is hovered or focused. */
function UndoMessage({ of }: { of: Done }) {
  const message = useRef<HTMLDivElement>(null)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const leftMs = useRef(shownForMs)
  const { run, problem, isBusy } = useAction(of.undo, () => {
    close()
    of.onUndone()
  })
  const isHeld = isHovered || isFocused || isBusy || problem !== undefined
  useEffect(() => {
    if (of.isByKeyboard) message.current?.focus()
    // Another user can sign in before the time is over.
    return () => forget(of)
  }, [of])
  useEffect(() => {
    if (isHeld) return undefined
    const since = performance.now()
    const timer = setTimeout(close, leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= performance.now() - since
    }
  }, [isHeld])
  function close() {
    const hadFocus = message.current?.contains(document.activeElement)
    forget(of)
    if (hadFocus) document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the listeners only stop the time
    <div
      ref={message}
      class="undo"
      tabIndex={-1}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <span>
        {say(undoTexts.done, { what: of.what })}
        {of.note && <small class="soft"> {of.note}</small>}
      </span>
      {/* Not disabled while it runs, because the focus would be lost. */}
      <button type="button" onClick={() => void run()}>
        {say(undoTexts.undo)}
      </button>
      <button type="button" class="plain" aria-label={say(commonTexts.close)} onClick={close}>
        ✕
      </button>
      {problem && <ProblemMessage problem={problem} />}
    </div>
  )
}

function forget(of: Done): void {
  if (undoMessage.peek()?.props.of === of) undoMessage.value = undefined
}

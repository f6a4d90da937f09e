import { type ComponentChildren, toChildArray } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { say } from './language.ts'
import { commonTexts } from './texts.ts'

/** The least distance in pixels between the menu and the edges of the window. */
const margin = 8

/**
 * The actions of a row of a table. Its children are buttons, links, and components that render one of them. A single action stays as it is.
 * More actions are in a menu. Dialogs and messages of the actions are shown while the menu is closed.
 */
export function RowMenu({ children }: { children: ComponentChildren }) {
  const actions = toChildArray(children)
  return actions.length > 1 ? <Menu>{actions}</Menu> : actions
}

function Menu({ children }: { children: ComponentChildren }) {
  const root = useRef<HTMLSpanElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLSpanElement>(null)
  const id = useId()
  // The position of the item that is focused first. -1 is the last item.
  const [opened, setOpened] = useState<0 | -1>()
  const isOpen = opened !== undefined
  const close = () => {
    setOpened(undefined)
    button.current?.focus({ preventScroll: true })
  }
  useLayoutEffect(() => {
    if (!isOpen || !list.current || !button.current) return undefined
    const [menu, opener] = [list.current, button.current]
    show(menu, opener, opened)
    return whileOpen(
      () => place(menu, opener),
      (pressed) => !root.current?.contains(pressed) && close(),
    )
  }, [opened])
  const press = (event: KeyboardEvent) => {
    const { key } = event
    if (isOpen) pressInMenu(event, list.current, close)
    else if (event.target === button.current && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault()
      setOpened(key === 'ArrowDown' ? 0 : -1)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the button and of the menu inside
    <span ref={root} class="row-menu" onKeyDown={press}>
      <button
        ref={button}
        type="button"
        aria-label={say(commonTexts.actions)}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => (isOpen ? close() : setOpened(0))}
      >
        ⋯
      </button>
      <span
        ref={list}
        id={id}
        {...(isOpen && { role: 'menu', 'aria-label': say(commonTexts.actions) })}
        // The menu closes before the action, so that a dialog returns the focus to the button.
        onClickCapture={() => isOpen && close()}
      >
        {children}
      </span>
    </span>
  )
}

/** Returns the buttons and links of the menu, without those of open dialogs. */
function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(':scope > :is(button:enabled, a)')]
}

/** Shows the menu at its button, and focuses an item. */
function show(menu: HTMLElement, opener: HTMLElement, focused: 0 | -1): void {
  const items = itemsOf(menu)
  for (const item of items) {
    item.role = 'menuitem'
    item.tabIndex = -1
  }
  place(menu, opener)
  items.at(focused)?.focus({ preventScroll: true })
}

/** Places the menu below its button, or above it if there is no room below. */
function place(menu: HTMLElement, opener: HTMLElement): void {
  const { right, top, bottom } = opener.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const isBelow = bottom + height + margin <= innerHeight
  menu.style.left = `${Math.max(margin, right - width)}px`
  menu.style.top = `${isBelow ? bottom : Math.max(margin, top - height)}px`
}

/** Calls `move` when the page moves, and `press` when the user presses somewhere. Returns a function that ends this. */
function whileOpen(move: () => void, press: (pressed: Node) => void): () => void {
  const end = new AbortController()
  const how = { capture: true, signal: end.signal }
  addEventListener('scroll', move, how)
  addEventListener('resize', move, how)
  addEventListener('pointerdown', ({ target }) => target instanceof Node && press(target), how)
  return () => end.abort()
}

function pressInMenu(event: KeyboardEvent, menu: HTMLElement | null, close: () => void): void {
  const items = menu ? itemsOf(menu) : []
  const at = items.findIndex((item) => item.matches(':focus'))
  const next: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: at <= 0 ? -1 : at - 1,
    Home: 0,
    End: -1,
  }
  const to = next[event.key]
  // Tab goes on from the button.
  if (event.key === 'Escape' || event.key === 'Tab') close()
  if (to === undefined) return
  event.preventDefault()
  items.at(to)?.focus()
}

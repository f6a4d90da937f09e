import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../kit/language.ts'
import { can, isPlatform, type Operation } from '../kit/session.ts'
import { shellTexts } from './texts.ts'

/** The number of the open dialog, and 0 without one. A closed dialog reports its end late, when the next one can be open already. */
const opened = signal(0)
let openings = 0

/** The dialog, after its first opening loaded it. */
const dialog = signal<ComponentType<{ typed: string; onClose: () => void }>>()
/** The text that the user typed while the dialog was loading. */
let typed = ''

function openDialog(): void {
  typed = ''
  opened.value = ++openings
  if (!dialog.value) void loadDialog()
}

/** Whether the roles can find something. */
const mayFind = () => !isPlatform() && can('search') && readers.some((each) => can(each))

/** The operations that read objects which a search finds. */
const readers: readonly Operation[] = [
  ...([
    'retrieveUser',
    'retrieveOffer',
    'retrieveIssuedCredential',
    'retrieveConfigurations',
    'retrieveBulkRows',
  ] as const),
  ...(['retrieveIaca', 'retrieveEcosystemCa', 'retrieveTrustedIssuer', 'retrieveEcosystem', 'retrieveClient'] as const),
  ...(['retrieveWebhook', 'retrieveEvents'] as const),
]

export function SearchButton() {
  if (!mayFind()) return null
  return (
    <button type="button" class="search" aria-keyshortcuts="Control+K Meta+K" onClick={openDialog}>
      {say(shellTexts.search)} <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  )
}

const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** The search dialog. Ctrl-K, Cmd-K and `/` open it. It is not in the menu, because a folded menu shows no dialog. */
export function Search() {
  const isFor = mayFind()
  useEffect(() => {
    if (!isFor) return
    const press = (event: KeyboardEvent) => {
      if (opened.value > 0 && !dialog.value) return typeEarly(event)
      if (!opensSearch(event)) return
      event.preventDefault()
      openDialog()
    }
    addEventListener('keydown', press)
    return () => {
      removeEventListener('keydown', press)
      opened.value = 0
    }
  }, [isFor])
  const number = opened.value
  const SearchDialog = dialog.value
  if (!isFor || number === 0 || !SearchDialog) return null
  return (
    <SearchDialog
      key={number}
      typed={typed}
      onClose={() => {
        if (opened.value === number) opened.value = 0
      }}
    />
  )
}

async function loadDialog(): Promise<void> {
  try {
    dialog.value = (await import('../screens/search/search-dialog.tsx')).default
  } catch (error) {
    // A chunk can be missing after an update of the console. The next attempt loads it again.
    console.error(error)
    opened.value = 0
  }
}

/** Keeps what the user types while the dialog is loading. */
function typeEarly(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey } = event
  if (key === 'Escape') opened.value = 0
  else if (key === 'Backspace') typed = typed.slice(0, -1)
  else if (key.length === 1 && !ctrlKey && !metaKey) typed += key
  // Enter would press the search button again, if it has the focus.
  else if (key !== 'Enter') return
  event.preventDefault()
}

/** A slash in a field is text. An open dialog keeps its input. */
function opensSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey || document.querySelector('dialog[open]')) return false
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k'
  return key === '/' && !(target instanceof Element && target.matches('input, textarea, select, [contenteditable]'))
}

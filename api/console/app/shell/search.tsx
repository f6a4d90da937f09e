import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { say } from '../kit/language.ts'
import { hasRole, isPlatform } from '../kit/session.ts'
import { shellTexts } from './texts.ts'

/** The number of the open dialog, and 0 without one. A closed dialog reports its end late, when the next one can be open already. */
const opened = signal(0)
let openings = 0

function openDialog(): void {
  opened.value = ++openings
}

/** The roles that can find something. */
const mayFind = () =>
  !isPlatform() && hasRole('issuer', 'managed-issuer', 'verifier', 'dts-provider', 'dts-consumer', 'auditor')

export function SearchButton() {
  if (!mayFind()) return null
  return (
    <button type="button" class="search" aria-keyshortcuts="Control+K Meta+K" onClick={openDialog}>
      {say(shellTexts.search)} <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  )
}

/** Lets the first screen load before the dialog. */
const preloadAfterMs = 1_000

const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** The search dialog. Ctrl-K, Cmd-K and `/` open it. It is not in the menu, because a folded menu shows no dialog. */
export function Search() {
  const isFor = mayFind()
  useEffect(() => {
    if (!isFor) return
    const press = (event: KeyboardEvent) => {
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
  useEffect(() => {
    if (!isFor) return
    // Loads the dialog before it is needed, so that it gets the first keys after the shortcut.
    const timer = setTimeout(() => void importDialog().catch(() => undefined), preloadAfterMs)
    return () => clearTimeout(timer)
  }, [isFor])
  const number = opened.value
  const isShown = isFor && number > 0
  const [SearchDialog, setDialog] = useState<ComponentType<{ onClose: () => void }>>()
  useEffect(() => {
    // A chunk can be missing after an update of the console. The next attempt loads it again.
    if (isShown) void loadDialog().then((loaded) => setDialog(() => loaded))
  }, [isShown])
  if (!isShown || !SearchDialog) return null
  return (
    <SearchDialog
      key={number}
      onClose={() => {
        if (opened.value === number) opened.value = 0
      }}
    />
  )
}

const importDialog = () => import('../screens/search/search-dialog.tsx')

async function loadDialog() {
  try {
    return (await importDialog()).default
  } catch (error) {
    console.error(error)
    opened.value = 0
    return undefined
  }
}

/** A slash in a field is text. An open dialog keeps its input. */
function opensSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey || document.querySelector('dialog[open]')) return false
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k'
  return key === '/' && !(target instanceof Element && target.matches('input, textarea, select, [contenteditable]'))
}

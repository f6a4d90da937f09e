import { useState } from 'preact/hooks'
import { say } from './language.ts'
import { commonTexts } from './texts.ts'

/** Copies a text to the clipboard and confirms it. Browsers offer a clipboard only to pages of https and of localhost. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  if (!navigator.clipboard) return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  const name = say(isCopied ? commonTexts.copied : commonTexts.copy)
  return (
    <button type="button" class="copy" onClick={() => void copy()} aria-label={label ? `${name}: ${label}` : name}>
      {isCopied ? '✓' : <Sheets />}
      {label === undefined && <span> {name}</span>}
    </button>
  )
}

/** The copy icon: two sheets. Few fonts have a character for it. */
function Sheets() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  )
}

/** Shortens a long id in the middle. */
export function shortened(id: string): string {
  return id.length > 24 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id
}

/** An id with a copy button and an optional link. Shortens a long id in the middle on the screen. The copied text is complete. */
export function Id({ value, href }: { value: string; href?: string | undefined }) {
  const code = <code title={value}>{shortened(value)}</code>
  return (
    <span class="id">
      {href ? <a href={href}>{code}</a> : code}
      <CopyButton text={value} label={value} />
    </span>
  )
}

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { say, type Text } from '../../kit/language.ts'
import { words } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { userTexts } from './texts.ts'

export interface Criteria {
  claims?: Record<string, unknown>
  authenticationProvider?: { providerId?: string; subjectId?: string }
}

const fields = {
  id: userTexts.id,
  claim: userTexts.claim,
  value: userTexts.value,
  subject: userTexts.subject,
} satisfies Record<string, Text>

type Typed = Record<keyof typeof fields, string>
const nothing: Typed = { id: '', claim: '', value: '', subject: '' }

/** By id, by a claim's value, or by who somebody is at the identity provider. */
export function Search({ onSearch }: { onSearch: (criteria: Criteria) => void }) {
  const { route } = useLocation()
  const [typed, setTyped] = useState(nothing)
  const search = (event: Event) => {
    event.preventDefault()
    if (typed.id.trim()) route(to(`/users/${encodeURIComponent(typed.id.trim())}`))
    else onSearch(criteriaOf(typed))
  }
  const reset = () => {
    setTyped(nothing)
    onSearch({})
  }
  return (
    <form class="filters" onSubmit={search}>
      {Object.entries(fields).map(([name, label]) => (
        <label key={name}>
          {say(label)}
          <input
            value={typed[name as keyof Typed]}
            placeholder={name === 'claim' ? 'family_name' : undefined}
            autoComplete="off"
            onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit" class="primary">
        {say(words.search)}
      </button>
      {Object.values(typed).some(Boolean) && (
        <button type="button" onClick={reset}>
          {say(userTexts.reset)}
        </button>
      )}
    </form>
  )
}

function criteriaOf({ claim, value, subject }: Typed): Criteria {
  const path = claim.trim().split('.').filter(Boolean)
  return {
    ...(path.length > 0 && { claims: nested(path, wantedValue(value.trim())) }),
    ...(subject.trim() && { authenticationProvider: { subjectId: subject.trim() } }),
  }
}

function nested([first = '', ...rest]: string[], value: unknown): Record<string, unknown> {
  return { [first]: rest.length > 0 ? nested(rest, value) : value }
}

/** A text, unless it can be nothing but JSON: digits are often a number of a house or a document. */
function wantedValue(text: string): unknown {
  if (!/^(true|false|null|[[{"].*)$/s.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

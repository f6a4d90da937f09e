import { useLocation } from 'preact-iso'
import { say, type Text } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { useStateOf } from '../../kit/state-of.ts'
import { commonTexts } from '../../kit/texts.ts'
import { to, useFragment } from '../../kit/url-state.ts'
import { userTexts } from './texts.ts'

export interface Criteria {
  label?: string
  claims?: Record<string, unknown>
  authenticationProvider?: { providerId?: string; subjectId?: string }
}

const fields = {
  id: userTexts.id,
  label: commonTexts.label,
  claim: userTexts.claim,
  value: userTexts.value,
  subject: userTexts.subject,
} satisfies Record<string, Text>

/** Only users who read claims can search by them. */
function isSearchable(name: string): boolean {
  return !['claim', 'value'].includes(name) || can('users:read')
}

type Typed = Readonly<Partial<Record<keyof typeof fields, string>>>

/** Searches users by id, by label, by the value of a claim, or by their subject at the identity provider. */
export function Search() {
  const { route } = useLocation()
  const [sought, seek] = useFragment()
  const { label, claim, value, subject } = sought
  const criteria = trimTyped({ label, claim, value, subject })
  const [typed, setTyped] = useStateOf(JSON.stringify(criteria), criteria)
  const put = (name: string, text: string) => setTyped((before) => ({ ...before, [name]: text }))
  const search = (event: Event) => {
    event.preventDefault()
    const { id, ...others } = trimTyped(typed)
    if (id) route(to(`/users/${encodeURIComponent(id)}`))
    else seek(others)
  }
  const reset = () => {
    setTyped(() => ({}))
    seek({})
  }
  return (
    <form class="filters" onSubmit={search}>
      {Object.entries(fields)
        .filter(([name]) => isSearchable(name))
        .map(([name, label]) => (
          <label key={name}>
            {say(label)}
            <input
              value={typed[name as keyof Typed] ?? ''}
              placeholder={name === 'claim' ? 'family_name' : undefined}
              autoComplete="off"
              onInput={(event) => put(name, event.currentTarget.value)}
            />
          </label>
        ))}
      <button type="submit" class="primary">
        {say(commonTexts.search)}
      </button>
      {Object.values(typed).some(Boolean) && (
        <button type="button" onClick={reset}>
          {say(userTexts.reset)}
        </button>
      )}
    </form>
  )
}

/** Returns the field values without surrounding spaces. */
function trimTyped(typed: { readonly [name in keyof Typed]: string | undefined }): Typed {
  return Object.fromEntries(
    Object.entries(typed).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  )
}

/** Returns the search criteria of the address. */
export function criteriaOf({
  label,
  claim = '',
  value = '',
  subject,
}: Readonly<Record<string, string | undefined>>): Criteria {
  const path = claim.split('.').filter(Boolean)
  return {
    ...(label && { label }),
    ...(path.length > 0 && { claims: nested(path, wantedValue(value)) }),
    ...(subject && { authenticationProvider: { subjectId: subject } }),
  }
}

function nested([first = '', ...rest]: string[], value: unknown): Record<string, unknown> {
  return { [first]: rest.length > 0 ? nested(rest, value) : value }
}

/** Returns a text, or the JSON value if it can only be JSON. Digits stay a text, because they are often a house or document number. */
function wantedValue(text: string): unknown {
  if (!/^(true|false|null|[[{"].*)$/s.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

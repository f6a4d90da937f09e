import { useEffect, useId, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { shortened } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { useStateOf } from '../../kit/state-of.ts'
import { ProblemMessage } from '../../kit/states.tsx'
import { addressOf } from './address.ts'
import { kindTexts, searchTexts } from './texts.ts'
import './search.css'

type Result = Schemas['SearchResults']['data'][number]

/** Waits until the user pauses. */
const pauseMs = 200

/** Finds an object while the user types. Arrow keys select a result, and Enter opens its screen. `typed` is the first text of the field. */
export default function SearchDialog({ typed, onClose }: { typed: string; onClose: () => void }) {
  const { route } = useLocation()
  const [text, setText] = useState(typed)
  const { results, problem } = useResults(text.trim())
  const [chosen, choose] = useStateOf(results, 0)
  const id = useId()
  const open = (result: Result | undefined) => {
    if (!result) return
    onClose()
    route(addressOf(result))
  }
  const press = (event: KeyboardEvent) => {
    const count = results?.length ?? 0
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || count === 0) return
    event.preventDefault()
    choose((before) => (before + step + count) % count)
  }
  const optionId = (at: number) => `${id}-${at}`
  const hasResults = results !== undefined && results.length > 0
  return (
    <Dialog title={say(searchTexts.title)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          open(results?.[chosen])
        }}
      >
        <label>
          {say(searchTexts.what)}
          <input
            role="combobox"
            aria-expanded={hasResults}
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={hasResults ? optionId(chosen) : undefined}
            value={text}
            maxLength={200}
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={press}
          />
        </label>
      </form>
      {problem && <ProblemMessage problem={problem} />}
      <p class="soft" role="status">
        {results && say(hasResults ? searchTexts.count : searchTexts.none, { count: results.length })}
      </p>
      <Options {...{ id, results, chosen, open, optionId }} />
    </Dialog>
  )
}

function Options(props: {
  id: string
  results: readonly Result[] | undefined
  chosen: number
  open: (result: Result) => void
  optionId: (at: number) => string
}) {
  const { id, results, chosen, open, optionId } = props
  return (
    <div role="listbox" id={id} class="results" aria-label={say(searchTexts.results)}>
      {results?.map((result, at) => (
        <Option
          key={`${result.kind} ${result.id}`}
          {...{ result, id: optionId(at), isChosen: at === chosen }}
          onChoose={() => open(result)}
        />
      ))}
    </div>
  )
}

function Option(props: { result: Result; id: string; isChosen: boolean; onChoose: () => void }) {
  const { result, id, isChosen, onChoose } = props
  const { kind, name, type, profile } = result
  useEffect(() => {
    if (isChosen) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [isChosen, id])
  const detail = [name && type, profile].filter(Boolean).join(' · ')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the chosen option
    <div role="option" id={id} aria-selected={isChosen} title={result.id} onClick={onChoose}>
      <span>{name ?? (kind === 'request' ? type : undefined) ?? shortened(result.id)}</span>
      <small>
        {say(kindTexts[kind])}
        {detail && ` · ${detail}`}
      </small>
    </div>
  )
}

/** Searches after a pause. Only the results of the latest text count. */
function useResults(text: string): { results?: readonly Result[]; problem?: Problem } {
  const [answer, setAnswer] = useState<{ results?: readonly Result[]; problem?: Problem }>({})
  useEffect(() => {
    if (!text) return setAnswer({})
    let isLatest = true
    const timer = setTimeout(async () => {
      const { data, problem } = await callApi(api.GET('/v1/search', { params: { query: { q: text } } }))
      if (isLatest) setAnswer(problem ? { problem } : { results: data.data })
    }, pauseMs)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [text])
  return answer
}

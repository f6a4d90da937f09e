import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answered, Schemas } from '../../kit/api.ts'
import { ConfirmButton, useAction } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { can, type Operation } from '../../kit/session.ts'
import { ProblemMessage, Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import type { Reading } from '../../kit/use-read.ts'
import { ProviderEmpty } from './provider-empty.tsx'
import { accessTexts } from './texts.ts'
import { Checks } from './tried.tsx'

interface ProviderTexts {
  title: Text
  about: Text
  redirectPath: string
  /** A sentence about the effects of the deletion. */
  deletion: Text
}

/** The operations of a provider. Users who may not call one of them do not see its button. */
export interface ProviderCalls {
  create: Operation
  change: Operation
  test: Operation
  remove: Operation
}

/** The texts of an existing provider, and the callbacks of its buttons. */
export interface ProviderActions {
  calls: ProviderCalls
  texts: ProviderTexts
  onEdit: () => void
  onDeleted: () => void
}

/** The screen of a provider: its form while it is edited, the provider, or what to do first. A tenant has at most one provider. */
export function ProviderScreen<Data, Provider>(props: {
  calls: ProviderCalls
  texts: ProviderTexts
  of: Reading<Data>
  providerOf: (data: Data) => Provider | null | undefined
  form: (provider: Provider | undefined, end: () => void) => ComponentChildren
  existing: (provider: Provider, actions: ProviderActions) => ComponentChildren
}) {
  const { calls, texts, of, providerOf, form, existing } = props
  const [{ edit }, change] = useQuery()
  const onEdit = () => change({ edit: '1' })
  const end = () => {
    void of.reload()
    change({ edit: undefined })
  }
  return (
    <Shown of={of}>
      {(data) => {
        const provider = providerOf(data) ?? undefined
        if (edit) return <Section title={say(texts.title)}>{form(provider, end)}</Section>
        if (provider) return existing(provider, { calls, texts, onEdit, onDeleted: end })
        return <ProviderEmpty {...texts} onSetUp={can(calls.create) && onEdit} />
      }}
    </Shown>
  )
}

/** The section of an existing provider, with buttons that test, edit and delete it. */
export function ProviderSection(
  props: ProviderActions & {
    /** The word that confirms the deletion. */
    word: string
    test: Pick<ProviderTest<never>, 'isBusy' | 'outcome'>
    onTest: () => void
    remove: () => Promise<Answered<unknown>>
    mark?: ComponentChildren
    children: ComponentChildren
  },
) {
  const { calls, texts, onEdit, onDeleted, word, test, onTest, remove, mark, children } = props
  const actions = (
    <>
      {can(calls.test) && (
        <button type="button" class="primary" disabled={test.isBusy} onClick={onTest}>
          {say(accessTexts.tryIt)}
        </button>
      )}
      {can(calls.change) && (
        <button type="button" onClick={onEdit}>
          {say(commonTexts.edit)}
        </button>
      )}
      <ConfirmButton
        calls={calls.remove}
        label={say(commonTexts.delete)}
        title={say(accessTexts.deleteProvider)}
        word={word}
        act={remove}
        onDone={onDeleted}
      >
        <p>{say(texts.deletion)}</p>
      </ConfirmButton>
    </>
  )
  return (
    <Section title={say(texts.title)} actions={actions}>
      <p class="soft">{say(texts.about)}</p>
      {mark}
      {test.outcome}
      {children}
    </Section>
  )
}

interface ProviderTest<Input> {
  run: (input: Input) => Promise<void>
  isBusy: boolean
  /** The result, or the problem. */
  outcome: ComponentChildren
}

/** Tests a provider. */
export function useProviderTest<Input = void>(
  act: (input: Input) => Promise<Answered<Schemas['TestSignInProviderResponse']>>,
): ProviderTest<Input> {
  const [result, setResult] = useState<Schemas['TestSignInProviderResponse']>()
  const { run, problem, isBusy } = useAction(act, setResult)
  const outcome = problem ? <ProblemMessage problem={problem} /> : result && <Checks {...result} names={accessTexts} />
  return { run, isBusy, outcome }
}

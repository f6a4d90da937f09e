import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton, useAction } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { ProblemMessage, Shown } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { type Reading, useRead } from '../../kit/use-read.ts'
import { Versioned } from '../../kit/versioned.tsx'
import { bodyOfTyped, fields, ownFields, start, typedOfProvider } from './operator-fields.ts'
import { ProviderEmpty } from './provider-empty.tsx'
import { ProviderFacts } from './provider-facts.tsx'
import { RoleTable } from './role-table.tsx'
import { roleText } from './roles.ts'
import { accessTexts } from './texts.ts'
import { Checks } from './tried.tsx'

type Provider = Schemas['SignInProvider']

/** The provider at which operators sign in to this console. A tenant has at most one. */
export function OperatorProvider() {
  const [{ edit }, change] = useQuery()
  const reading = useRead<Provider | null>(async () => {
    const answered = await callApi(api.GET('/v1/sign-in-provider'))
    // A missing provider is not a problem here. The screen then offers to set one up.
    return answered.problem?.kind === 'missing' ? { data: null } : answered
  }, [])
  const end = () => {
    void reading.reload()
    change({ edit: undefined })
  }
  return (
    <Shown of={reading}>
      {(provider) => (
        <>
          {edit ? (
            <Section title={say(accessTexts.operators)}>
              <Editing of={reading} end={end} />
            </Section>
          ) : provider ? (
            <Known provider={provider} onEdit={() => change({ edit: '1' })} onDeleted={end} />
          ) : (
            <ProviderEmpty
              title={accessTexts.operators}
              about={accessTexts.operatorsAbout}
              redirectPath="/console/session/callback"
              onSetUp={() => change({ edit: '1' })}
            />
          )}
        </>
      )}
    </Shown>
  )
}

function Editing({ of, end }: { of: Reading<Provider | null>; end: () => void }) {
  const test = useTest()
  return (
    <Versioned of={of}>
      {(provider, etag, showTheirs) => (
        <Form
          fields={fields}
          arrange={(input) => (
            <>
              {ownFields.map(input)}
              <RoleTable input={input} />
            </>
          )}
          start={provider ? typedOfProvider(provider) : start}
          action={say(commonTexts.save)}
          submit={(typed) =>
            callApi(
              api.PUT('/v1/sign-in-provider', {
                params: { header: etag ? { 'If-Match': etag } : {} },
                body: bodyOfTyped(typed),
              }),
            )
          }
          onDone={end}
          onCancel={end}
          onTheirs={showTheirs}
          trying={{ label: say(accessTexts.tryIt), act: (typed) => void test.run(bodyOfTyped(typed)) }}
        >
          {test.shown}
          <p class="note">{say(accessTexts.endsSessions)}</p>
        </Form>
      )}
    </Versioned>
  )
}

function Known(props: { provider: Provider; onEdit: () => void; onDeleted: () => void }) {
  const { provider, onEdit, onDeleted } = props
  const { id: _, redirectUrl: __, ...body } = provider
  const test = useTest()
  const actions = (
    <>
      <button type="button" class="primary" disabled={test.isBusy} onClick={() => void test.run(body)}>
        {say(accessTexts.tryIt)}
      </button>
      <button type="button" onClick={onEdit}>
        {say(commonTexts.edit)}
      </button>
      <ConfirmButton
        label={say(commonTexts.delete)}
        title={say(accessTexts.deleteProvider)}
        word={provider.name}
        act={() => callApi(api.DELETE('/v1/sign-in-provider'))}
        onDone={onDeleted}
      >
        <p>{say(accessTexts.deleteOperators)}</p>
      </ConfirmButton>
    </>
  )
  return (
    <Section title={say(accessTexts.operators)} actions={actions}>
      <p class="soft">{say(accessTexts.operatorsAbout)}</p>
      {test.shown}
      <ProviderFacts
        of={provider}
        more={[
          [accessTexts.providerName, provider.name],
          [accessTexts.rolesClaim, <code>{provider.claim}</code>],
          [accessTexts.userClaim, <code>{provider.userClaim}</code>],
        ]}
      />
      <Table
        caption={accessTexts.roles}
        rows={provider.roles}
        keyOf={({ value }) => value}
        columns={[
          { head: accessTexts.claimValue, cell: ({ value }) => <code>{value}</code> },
          { head: accessTexts.roles, cell: ({ roles }) => roles.map((each) => say(roleText(each))).join(', ') },
        ]}
      />
    </Section>
  )
}

/** Tests the settings, saved or not. */
function useTest() {
  const [result, setResult] = useState<Schemas['TestSignInProviderResponse']>()
  const { run, problem, isBusy } = useAction(
    (body: Schemas['SignInProviderRequest']) => callApi(api.POST('/v1/sign-in-provider/test', { body })),
    setResult,
  )
  const outcome = problem ? <ProblemMessage problem={problem} /> : result && <Checks {...result} names={accessTexts} />
  return { run, isBusy, shown: outcome }
}

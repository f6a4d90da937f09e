import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { Loading } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { type Reading, useRead } from '../../kit/use-read.ts'
import { Versioned } from '../../kit/versioned.tsx'
import { bodyOfTyped, ownFields, roleFieldsOf, start, typedOfProvider } from './operator-fields.ts'
import { ProviderFacts } from './provider-facts.tsx'
import {
  type ProviderActions,
  type ProviderCalls,
  ProviderScreen,
  ProviderSection,
  useProviderTest,
} from './provider-screen.tsx'
import { RoleTable } from './role-table.tsx'
import { roleText } from './roles.ts'
import { accessTexts } from './texts.ts'
import { useOwnRoles } from './use-own-roles.ts'

type Provider = Schemas['SignInProvider']

const calls: ProviderCalls = {
  ...{ create: 'replaceSignInProvider', change: 'replaceSignInProvider' },
  ...{ test: 'testSignInProvider', remove: 'deleteSignInProvider' },
}

const texts = {
  title: accessTexts.operators,
  about: accessTexts.operatorsAbout,
  redirectPath: '/console/session/callback',
  deletion: accessTexts.deleteOperators,
}

/** The provider at which operators sign in to this console. */
export function OperatorProvider() {
  const reading = useRead<Provider | null>(async () => {
    const answered = await callApi(api.GET('/v1/sign-in-provider'))
    // A missing provider is not a problem here. The screen then offers to set one up.
    return answered.problem?.kind === 'missing' ? { data: null } : answered
  }, [])
  return (
    <ProviderScreen
      {...{ calls, texts }}
      of={reading}
      providerOf={(provider) => provider}
      form={(_, end) => <Editing of={reading} end={end} />}
      existing={(provider, actions) => <Existing {...{ provider, ...actions }} />}
    />
  )
}

/** Tests the settings, saved or not. */
function useSettingsTest() {
  return useProviderTest((body: Schemas['SignInProviderRequest']) =>
    callApi(api.POST('/v1/sign-in-provider/test', { body })),
  )
}

function Editing({ of, end }: { of: Reading<Provider | null>; end: () => void }) {
  const test = useSettingsTest()
  const ownRoles = useOwnRoles()
  if (!ownRoles) return <Loading />
  const roleFields = roleFieldsOf(ownRoles)
  return (
    <Versioned of={of}>
      {(provider, etag, showTheirs) => (
        <Form
          calls="replaceSignInProvider"
          fields={[...ownFields, ...roleFields]}
          arrange={(input) => (
            <>
              {ownFields.map(input)}
              <RoleTable fields={roleFields} input={input} />
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
          {test.outcome}
          <p class="note">{say(accessTexts.endsSessions)}</p>
        </Form>
      )}
    </Versioned>
  )
}

function Existing({ provider, ...actions }: ProviderActions & { provider: Provider }) {
  const { id: _, redirectUrl: __, ...body } = provider
  const test = useSettingsTest()
  return (
    <ProviderSection
      {...actions}
      word={provider.name}
      test={test}
      onTest={() => void test.run(body)}
      remove={() => callApi(api.DELETE('/v1/sign-in-provider'))}
    >
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
    </ProviderSection>
  )
}

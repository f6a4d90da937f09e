import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Facts, Section } from '../../kit/elements.tsx'
import { type Field, typedOf } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { ManagedMark } from '../../kit/managed-mark.tsx'
import { session } from '../../kit/session.ts'
import { Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { useKeyFields } from '../tenants/key-fields.ts'
import { ownFields, settingFields } from '../tenants/setting-fields.ts'
import { TenantFacts } from '../tenants/tenant-facts.tsx'
import { settingTexts } from '../tenants/texts.ts'
import { OwnSettings } from './own-settings.tsx'
import { settingsTexts } from './texts.ts'
import './settings.css'

type Tenant = Schemas['Tenant']

const fixedFields = settingFields.filter((field) => !ownFields.includes(field))

/** The settings of the tenant. An admin changes some of them. The others are changed on the host of the platform. */
export function OwnTenant() {
  const tenantId = session.value?.tenantId ?? ''
  const tenant = useRead(
    () => callApi(api.GET('/v1/tenants/{tenantId}', { params: { path: { tenantId } } })),
    [tenantId],
  )
  return <Shown of={tenant}>{(current) => <TenantSettings tenant={current} />}</Shown>
}

function TenantSettings({ tenant }: { tenant: Tenant }) {
  const platformFields = [...fixedFields, ...useKeyFields(tenant.keys)]
  const typed = typedOf(platformFields, tenant)
  return (
    <>
      <section>
        <TenantFacts tenant={tenant} />
      </section>
      <Section title={say(settingsTexts.own)}>
        <OwnSettings />
      </Section>
      <Section title={say(settingsTexts.settings)}>
        <p class="note">{say(settingsTexts.byPlatform)}</p>
        <ManagedMark resource={`/v1/tenants/${tenant.id}`} />
        <Facts of={platformFields.map((field) => [field.label, shownText(field, typed[field.name])])} />
      </Section>
    </>
  )
}

/** A setting without a value has the default that holds. */
function shownText({ kind, choices, byDefault }: Field, value: string | boolean | undefined) {
  if (typeof value === 'boolean') return say(value ? commonTexts.yes : commonTexts.no)
  if (!value || value === '{}')
    return byDefault && <span class="soft">{say(settingTexts.default, { value: say(byDefault) })}</span>
  if (kind === 'json') return <code>{JSON.stringify(JSON.parse(value))}</code>
  const choice = kind === 'choice' ? choices?.find((each) => each.value === value) : undefined
  return choice ? say(choice.label) : <span class="lines">{value}</span>
}

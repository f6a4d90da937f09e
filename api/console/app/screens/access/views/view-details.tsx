import type { Schemas } from '../../../kit/api.ts'
import { CopyButton } from '../../../kit/copy.tsx'
import { Facts } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { can } from '../../../kit/session.ts'
import { commonTexts } from '../../../kit/texts.ts'
import { to } from '../../../kit/url-state.ts'
import { When } from '../../../kit/when.tsx'
import { profileTexts } from '../../configurations/texts.ts'
import { ConfigurationNames } from '../../offers/configuration-names.tsx'
import { walletFamilyChoices } from '../../tenants/setting-fields.ts'
import { settingTexts } from '../../tenants/texts.ts'
import { readerTexts } from '../reader-texts.ts'
import { viewTexts as t } from './texts.ts'

type View = Schemas['View']

/** The addresses of a view for wallets, and what it publishes. */
export function ViewDetails({ of }: { of: View }) {
  const { issuer, profile, configurations, displayName, walletFamilies, createdAt } = of
  const { origin, pathname } = new URL(issuer)
  const metadata = `${origin}/.well-known/openid-credential-issuer${pathname === '/' ? '' : pathname}`
  return (
    <>
      <Facts
        of={[
          [t.issuer, <Address key="issuer" value={issuer} />],
          [t.metadata, <Address key="metadata" value={metadata} isPage />],
          [t.displayName, displayName],
          [settingTexts.profile, say(settingTexts[profile])],
          [t.selection, <Published key="published" of={configurations} />],
          [t.families, walletFamilies ? namesOf(walletFamilies) : say(t.ofTenant)],
          [commonTexts.created, <When key="created" at={createdAt} />],
        ]}
      />
      {can('retrieveReaders') && (
        <div class="actions">
          <a class="button" href={to('/access', { tab: 'readers' })}>
            {say(readerTexts.title)}
          </a>
        </div>
      )}
    </>
  )
}

function namesOf(families: NonNullable<View['walletFamilies']>): string {
  const choices = walletFamilyChoices.filter(({ value }) => families.some((family) => family === value))
  return choices.map(({ label }) => say(label)).join(', ') || say(commonTexts.none)
}

function Address({ value, isPage }: { value: string; isPage?: boolean }) {
  return (
    <span class="id">
      {isPage ? (
        <a href={value} target="_blank" rel="noreferrer">
          {value}
        </a>
      ) : (
        value
      )}
      <CopyButton text={value} label={value} />
    </span>
  )
}

function Published({ of: configurations }: { of: View['configurations'] }) {
  if ('ids' in configurations) return <ConfigurationNames ids={configurations.ids} />
  return <>{configurations.profiles.map((profile) => say(profileTexts[profile])).join(', ')}</>
}

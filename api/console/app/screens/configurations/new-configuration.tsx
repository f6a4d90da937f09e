import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type Profile, profiles } from '../../kit/configurations.ts'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { draftOf, Editor } from './editor.tsx'
import { empties, examples } from './examples.ts'
import { createConfiguration, isProfile } from './operations.ts'
import { exampleTexts, configurationTexts as own, profileAbout, profileTexts } from './texts.ts'

/** The starting point, which is in the address, then the form. */
export default function NewConfiguration() {
  const [{ profile: named, from }] = useQuery()
  const example = examples.find(({ name }) => name === from)
  const profile = example?.profile ?? (isProfile(named) ? named : undefined)
  const up = { href: to('/configurations'), title: say(own.configurations) }
  if (!profile || (!example && from !== 'empty')) return <Begin profile={profile} up={up} />
  const back = { href: to('/configurations/new', { profile: named }), title: say(own.create) }
  return (
    <Screen title={say(example?.title ?? own.create)} up={back}>
      <p class="soft">
        {say(profileTexts[profile])}: {say(profileAbout[profile])}
      </p>
      <NewEditor key={`${profile} ${from}`} profile={profile} start={example?.body ?? empties[profile]} />
    </Screen>
  )
}

function Begin({ profile, up }: { profile: Profile | undefined; up: { href: string; title: string } }) {
  const isShown = (each: Profile) => profile === undefined || each === profile
  return (
    <Screen title={say(own.create)} up={up}>
      <p>{say(own.beginWith)}</p>
      <div class="cards">
        {examples
          .filter((example) => isShown(example.profile))
          .map(({ name, profile: its, title, about }) => (
            <a key={name} class="card beginning" href={to('/configurations/new', { profile, from: name })}>
              <strong>{say(title)}</strong>
              <span>{say(about)}</span>
              <small>{say(profileTexts[its])}</small>
            </a>
          ))}
        {profiles.filter(isShown).map((each) => (
          <a key={each} class="card beginning" href={to('/configurations/new', { profile: each, from: 'empty' })}>
            <strong>
              {say(exampleTexts.empty)}: {say(profileTexts[each])}
            </strong>
            <span>{say(profileAbout[each])}</span>
          </a>
        ))}
      </div>
    </Screen>
  )
}

function NewEditor({ profile, start }: { profile: Profile; start: () => Record<string, unknown> }) {
  const [draft, setDraft] = useState(() => draftOf(start()))
  const { route } = useLocation()
  return (
    <Editor
      {...{ profile, draft, setDraft }}
      action={say(commonTexts.create)}
      save={(body) => createConfiguration(profile, body)}
      onSaved={({ id }) => route(to(`/configurations/${profile}/${id}`, { created: 'yes' }))}
    />
  )
}

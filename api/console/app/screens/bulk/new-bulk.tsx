import { type Configuration, nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { DownloadButton } from '../../kit/download.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import type { Bulk } from './states.ts'
import { bulkTexts } from './texts.ts'
import { UploadForm } from './upload-form.tsx'
import { uploadTexts } from './upload-texts.ts'
import './bulk.css'

/** The upload of a file: what its rows become, the file with a preview, and the meaning of its columns. */
export default function NewBulk() {
  const configurations = useConfigurations()
  const up = { href: to('/bulk'), title: say(bulkTexts.bulk) }
  return (
    <Screen title={say(uploadTexts.title)} up={up}>
      <Shown of={configurations}>{(all) => <Choice all={all} />}</Shown>
    </Screen>
  )
}

/** A mobile credential is bound to a key of the person. The service checks the key binding of an SD-JWT VC. */
function isSignable({ profile }: Configuration): boolean {
  return profile !== 'mobile'
}

const modes = ['links', 'sign'] as const satisfies readonly Bulk['mode'][]

/** The choice is in the address. */
function Choice({ all }: { all: readonly Configuration[] }) {
  const [query, change] = useQuery()
  const mode = query.mode === 'sign' ? 'sign' : 'links'
  const of = mode === 'links' ? all : all.filter(isSignable)
  const ids = query.configuration?.split(',') ?? []
  const chosen = of.filter(({ id }) => ids.includes(id)).slice(0, mode === 'links' ? undefined : 1)
  return (
    <>
      <fieldset class="fields">
        <legend>{say(uploadTexts.mode)}</legend>
        {modes.map((each) => (
          <label key={each} class="choice">
            <input type="radio" name="mode" checked={mode === each} onChange={() => change({ mode: each })} />
            <span>
              {say(uploadTexts[each])}
              <small>{say(uploadTexts[`${each}Hint`])}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {of.length === 0 ? (
        <NoConfiguration mode={mode} />
      ) : (
        <Configurations
          {...{ of, mode, chosen }}
          onChange={(next) => change({ configuration: next.map(({ id }) => id).join(',') })}
        />
      )}
      {chosen.map((each) => (
        <Template key={each.id} configuration={each} />
      ))}
      {chosen.length > 0 && <UploadForm key={chosen.map(({ id }) => id).join()} mode={mode} chosen={chosen} />}
    </>
  )
}

/** Several configurations for links, one for signed credentials. */
function Configurations(props: {
  of: readonly Configuration[]
  mode: Bulk['mode']
  chosen: readonly Configuration[]
  onChange: (chosen: readonly Configuration[]) => void
}) {
  const { of, mode, chosen, onChange } = props
  const toggle = (each: Configuration) => {
    if (mode === 'sign') onChange([each])
    else onChange(of.filter((one) => (one === each) !== chosen.includes(one)))
  }
  return (
    <fieldset class="fields configurations">
      <legend>{say(uploadTexts.configuration)}</legend>
      {chosen.length === 0 && <p class="soft">{say(uploadTexts.chooseFirst)}</p>}
      {of.map((each) => (
        <label key={each.id} class="choice">
          <input
            type={mode === 'sign' ? 'radio' : 'checkbox'}
            name="configuration"
            checked={chosen.includes(each)}
            onChange={() => toggle(each)}
          />
          <span>
            {nameOfConfiguration(each)}
            <small>
              {each.profile} · {each.type}
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function NoConfiguration({ mode }: { mode: Bulk['mode'] }) {
  const begin = (
    <a class="button primary" href={to('/configurations/new')}>
      {say(uploadTexts.newConfiguration)}
    </a>
  )
  const text = mode === 'sign' ? uploadTexts.noSignable : uploadTexts.noConfiguration
  return <Empty action={begin}>{say(text)}</Empty>
}

function Template({ configuration }: { configuration: Configuration }) {
  const { profile, id } = configuration
  return (
    <p class="template">
      <DownloadButton
        label={say(uploadTexts.template, { name: nameOfConfiguration(configuration) })}
        name="template.csv"
        path={`/v2/credentials/${profile}/configurations/${id}/template.csv`}
        accept="text/csv"
      />
      <span class="soft">{say(uploadTexts.templateWhat)}</span>
    </p>
  )
}

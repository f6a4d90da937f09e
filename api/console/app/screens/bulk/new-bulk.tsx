import { type Configuration, nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { DownloadButton } from '../../kit/download.tsx'
import { say } from '../../kit/language.ts'
import { NoSigner } from '../../kit/no-signer.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Shown } from '../../kit/states.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { Configurations, NoConfiguration } from './configuration-choice.tsx'
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
          legend={uploadTexts.configuration}
          onChange={(next) => change({ configuration: next.map(({ id }) => id).join(',') })}
        />
      )}
      <NoSigner of={chosen} />
      {chosen.map((each) => (
        <Template key={each.id} configuration={each} />
      ))}
      {chosen.length > 0 && <UploadForm key={chosen.map(({ id }) => id).join()} mode={mode} chosen={chosen} />}
    </>
  )
}

function Template({ configuration }: { configuration: Configuration }) {
  const { profile, id } = configuration
  return (
    <p class="template">
      <DownloadButton
        calls="downloadCompactTemplate"
        label={say(uploadTexts.template, { name: nameOfConfiguration(configuration) })}
        name="template.csv"
        path={`/v2/credentials/${profile}/configurations/${id}/template.csv`}
        accept="text/csv"
      />
      <span class="soft">{say(uploadTexts.templateWhat)}</span>
    </p>
  )
}

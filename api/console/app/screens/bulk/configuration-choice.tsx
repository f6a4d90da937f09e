import { type Configuration, nameOfConfiguration } from '../../kit/configurations.ts'
import { say, type Text } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Empty } from '../../kit/states.tsx'
import type { Bulk } from './states.ts'
import { uploadTexts } from './upload-texts.ts'

/** Several configurations for links, one for signed credentials. */
export function Configurations(props: {
  of: readonly Configuration[]
  legend: Text
  mode: Bulk['mode']
  chosen: readonly Configuration[]
  onChange: (chosen: readonly Configuration[]) => void
}) {
  const { of, legend, mode, chosen, onChange } = props
  const toggle = (each: Configuration) => {
    if (mode === 'sign') onChange([each])
    else onChange(of.filter((one) => (one === each) !== chosen.includes(one)))
  }
  return (
    <fieldset class="fields configurations">
      <legend>{say(legend)}</legend>
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

export function NoConfiguration({ mode }: { mode: Bulk['mode'] }) {
  const begin = (
    <LinkButton path="/configurations/new" isPrimary>
      {say(uploadTexts.newConfiguration)}
    </LinkButton>
  )
  const text = mode === 'sign' ? uploadTexts.noSignable : uploadTexts.noConfiguration
  return <Empty action={begin}>{say(text)}</Empty>
}

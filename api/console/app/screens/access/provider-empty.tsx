import { CopyButton } from '../../kit/copy.tsx'
import { Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { Empty } from '../../kit/states.tsx'
import { accessTexts } from './texts.ts'

/** The text for a tenant without a provider: what to do at the provider first. */
export function ProviderEmpty(props: {
  title: Text
  about: Text
  redirectPath: string
  /** False if the user may not set up a provider. */
  onSetUp: false | (() => void)
}) {
  const redirectUrl = location.origin + props.redirectPath
  const button = props.onSetUp && (
    <button type="button" class="primary" onClick={props.onSetUp}>
      {say(accessTexts.setUp)}
    </button>
  )
  return (
    <Section title={say(props.title)}>
      <p class="soft">{say(props.about)}</p>
      <Empty action={button}>
        {say(accessTexts.noProvider)}
        <br />
        <code>{redirectUrl}</code>
        <CopyButton text={redirectUrl} label={say(accessTexts.redirectUrl)} />
      </Empty>
    </Section>
  )
}

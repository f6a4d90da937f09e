import { CopyButton } from '../../kit/copy.tsx'
import { Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { webhookTexts } from './texts.ts'

/** The address of the keys that verify webhooks, with an example receiver. */
export function SigningKeys() {
  const address = `${location.origin}/v1/webhooks/jwks`
  const line = `node examples/webhook-receiver.mjs ${location.origin} 4000`
  return (
    <Section title={say(webhookTexts.keys)}>
      <p>{say(webhookTexts.keysText)}</p>
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          <code>{address}</code>
        </a>
        <CopyButton text={address} label={say(webhookTexts.keys)} />
      </p>
      <p>{say(webhookTexts.verifies)}</p>
      <p>
        <code>{line}</code>
        <CopyButton text={line} label="node" />
      </p>
      <a href="/docs#/Webhooks" target="_blank" rel="noreferrer">
        {say(webhookTexts.inReference)} ↗
      </a>
    </Section>
  )
}
